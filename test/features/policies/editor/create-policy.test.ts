import { describe, expect, it } from 'vitest';
import { dialects } from '../../../../src/dataprotection/dialects/dialect.ts';
import { shareWorld } from '../../../support/world.ts';
import { byLabel, errorsOf, openCreate, openEdit, setLines, textOf } from './editor-stage.ts';

describe.each([
  ...dialects.map((dialect) => ({ dialect, listsPolicies: true })),
  { dialect: 'documented' as const, listsPolicies: false },
])('creating a policy, $dialect dialect, listed: $listsPolicies', ({ dialect, listsPolicies }) => {
  const world = shareWorld({ dialect, service: { listsPolicies } });

  it('begins with a preset, and ends with a request', async () => {
    const { ana } = world();
    const empty = await openCreate(ana);
    expect(empty).toMatchObject({ title: 'Create policy', submit: 'Review' });
    await ana.press(empty, 'Hourly, keep 30 days', byLabel(empty, { Name: 'Ledgers, hourly' }));
    const form = await ana.seeDialog('Operation');
    await ana.submit(form, {});
    expect(errorsOf(await ana.seeDialog('required'))).toHaveProperty('Operation');
    await ana.submit(form, byLabel(form, { Operation: 'aws_ebs_volume_backup' }));
    const filled = await ana.seeDialog('Schedules (1)');
    expect(setLines(filled)).toEqual([
      'AWS EBS volume backup: every hour · keep 30 days · first backup immediately',
    ]);
    expect(textOf(filled)).toContain('"initial_value":"Ledgers, hourly"');
    if (listsPolicies) {
      await ana.submit(filled, byLabel(filled, { Name: 'GOLD' }));
      expect(errorsOf(await ana.seeDialog('Another policy already has this name'))).toHaveProperty(
        'Name',
      );
      await ana.submit(filled, byLabel(filled, { Name: 'Ledgers, hourly' }));
    } else await ana.submit(filled, {});
    const review = await ana.seeDialog('Reason');
    expect(textOf(review)).toContain('Create *Ledgers, hourly*');
    await ana.submit(review, { reason: { input: 'Required from March' } });
    await ana.seeMessage('Request sent to');
    await ana.seeMessage('requests approval to create policy *Ledgers, hourly*');
    expect(setLines(await openCreate(ana))).toEqual([]);
  });
});

describe('a service that shows no policies', () => {
  const world = shareWorld({ service: { listsPolicies: false } });

  it('can create policies, and offers no *Edit*', async () => {
    const { ana } = world();
    await expect(openEdit(world(), ana, 'Gold')).rejects.toThrow('no button "Edit"');
  });
});
