import { expect, test } from 'vitest';
import { seeAgain } from '../../support/ask.ts';
import { shareWorld } from '../../support/world.ts';
import { stageRestores } from '../restores/restore-stage.ts';

const stage = stageRestores();
const documented = shareWorld({ dialect: 'documented' });

test('what Belay started is listed with its state, once', async () => {
  const { ana, ben, service } = stage.world();
  service.setTaskTimings({ delayMs: 3_600_000 });
  await ana.send('ops', '/belay tasks');
  await ana.seeMessage(/Started by Belay\* · last 7 days\nNone\./);
  const request = await stage.request(ana);
  await ben.press(request, 'Approve');
  const { text } = await seeAgain(ana, request, 'queued');
  const [, taskId = ''] = /Task `(\d+)`/.exec(text) ?? [];
  await ana.send('ops', '/belay tasks');
  const list = await ana.seeMessage(/🔄 \*?Running\*? · Restore volume /);
  const shown = JSON.stringify(list.blocks);
  expect(shown.split(`task \`${taskId}\``)).toHaveLength(2);
  expect(shown).toContain('View request');
});

test('a service without tasks says so', async () => {
  const { ana } = documented();
  await ana.send('ops', '/belay tasks');
  await ana.seeMessage("This service doesn't list tasks through its API.");
});
