import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startBelay } from '../../../src/app.ts';
import { readConfig } from '../../../src/config.ts';
import { createLogger } from '../../../src/logger.ts';
import { aReason, buttonTexts, messagesOf, seeAgain } from '../../support/ask.ts';
import { startWorld } from '../../support/world.ts';

test('a restore is followed by the next process', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'belay-restore-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const timings = { checkMs: 50 };
  const world = await startWorld({
    databaseUrl: `pglite:${folder}/data`,
    dialect: 'live',
    timings,
    service: { taskTimings: { reads: 1_000_000 } },
  });
  const { ana, ben, belay, env, slack, service, portal } = world;
  const volume = service.volumes(portal.id).find(({ name }) => name === 'billing-volume-1');
  await ana.send('ops', `/belay restore ${volume?.volume_native_id}`);
  const list = await ana.see(
    () => messagesOf(ana).find((one) => buttonTexts(one).includes('Restore…')),
    'the backups',
  );
  await ana.press(list, 'Restore…');
  await ana.submit(await ana.seeDialog('Availability zone'), { reason: { input: aReason } });
  const request = await ana.seeMessage('requests approval to restore volume');
  await ben.press(request, 'Approve');
  await seeAgain(ana, request, /Task `\d+`/);
  await belay.stop();

  const again = await startBelay(readConfig(env), { log: createLogger('silent'), timings });
  onTestFinished(async () => void (await again.stop()));
  slack.connectApp(`http://127.0.0.1:${again.port}/slack/events`);
  service.finishTasks();
  await again.sweep();
  await seeAgain(ana, request, 'was restored to a new volume');
  expect(service.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
});
