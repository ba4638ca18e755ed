import { expect, test } from 'vitest';
import { people } from '../../../playground/people.ts';
import { byLabel, openCreate, textOf } from '../../features/policies/editor/editor-stage.ts';
import { buttonTexts, seeAgain } from '../../support/ask.ts';
import { announcementOf, runNow, shareBreakGlassWorld, writesOf } from './break-glass-world.ts';

const { world, setRules } = shareBreakGlassWorld();

test('a policy is created without approval', async () => {
  const { ana } = world();
  const named = { breakGlass: [people.ana] };
  await setRules({ 'policies.create': named });
  const empty = await openCreate(ana);
  await ana.press(empty, 'Hourly, keep 30 days', byLabel(empty, { Name: 'Ledgers, hourly' }));
  const form = await ana.seeDialog('Operation');
  await ana.submit(form, byLabel(form, { Operation: 'aws_ebs_volume_backup' }));
  await ana.submit(await ana.seeDialog('Schedules (1)'), {});
  const review = await ana.seeDialog('Reason');
  expect(textOf(review)).toContain('Run now without approval (emergency)');
  await ana.submit(review, { reason: { input: 'Backups stopped' }, ...runNow });
  const run = await announcementOf(ana, 'create policy *Ledgers, hourly*');
  const done = await seeAgain(ana, run, /^🚨 Break-glass: completed/);
  expect(buttonTexts(done)).toContain('Mark as reviewed…');
  expect(writesOf(world())).toHaveLength(1);
});
