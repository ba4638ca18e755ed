import { expect, it } from 'vitest';
import { defaultSearch } from '../../../src/features/alerts/alert-search.ts';
import { startWatches } from './watch-stage.ts';

it('a list of alerts leads to a watch with its filter, which can be changed first', async () => {
  const { ana, raise, watchesOfOps } = await startWatches();
  raise('a1');
  await ana.send('ops', '/belay alerts severity:error status:all since:1w sort:raised vm-12');
  const list = await ana.seeMessage('Filters: error');
  await ana.press(list, 'Watch this filter');
  const form = await ana.seeDialog('New alerts are posted in <#C0OPS00001>.');
  expect(JSON.stringify(form.blocks)).toContain('"initial_value":"vm-12"');
  await ana.submit(form, { severity: { input: ['error', 'warning'] } });
  await ana.seeMessage('Watch added.');
  expect((await watchesOfOps()).map(({ search }) => search)).toEqual([
    { ...defaultSearch, severities: ['error', 'warning'], words: ['vm-12'] },
  ]);
  await ana.press(list, 'Watch this filter');
  await ana.submit(await ana.seeDialog('New alerts are posted in <#C0OPS00001>.'), {
    severity: { input: ['error', 'warning'] },
  });
  await ana.seeMessage('This channel already has a watch for ');
});

it('a summary lists the alerts of its watch, as long as that exists', async () => {
  const { ana, store, raise, poll, deliver, watchesOfOps } = await startWatches();
  await ana.send('ops', '/belay watch severity:error');
  await ana.seeMessage('Watch added.');
  for (let index = 1; index <= 30; index += 1) raise(`s${index}`);
  await poll();
  for (let times = 0; times < 12; times += 1) await deliver();
  const summary = await ana.seeMessage(/\*20 more alerts.* \(error\): 20 errors\./);
  await ana.press(summary, 'View all active');
  const list = await ana.seeMessage('Filters: error');
  expect(list.isEphemeral).toBe(true);
  const [watch] = await watchesOfOps();
  if (!watch) throw new Error('no watch');
  await store.end({ ...watch, by: ana.slackUserId, at: watch.createdAt });
  await ana.press(summary, 'View all active');
  await ana.seeMessage('This watch has ended. To see all active alerts');
});
