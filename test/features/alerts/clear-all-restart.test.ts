import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startBelay } from '../../../src/app.ts';
import { readConfig } from '../../../src/config.ts';
import { createLogger } from '../../../src/logger.ts';
import { seeAgain } from '../../support/ask.ts';
import { patienceMs } from '../../support/patience.ts';
import { startWorld } from '../../support/world.ts';
import { serviceAlert } from '../watches/poll-stage.ts';

test('the next process clears what a stopped one left', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'belay-clearing-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const world = await startWorld({ databaseUrl: `pglite:${folder}/data`, dialect: 'live' });
  const { ben, belay, env, slack, service, portal } = world;
  for (let index = 0; index < 30; index += 1)
    service.putAlert(portal.id, serviceAlert(`bulk-${index}`, new Date()));
  const active = () =>
    service
      .alerts(portal.id)
      .filter(({ id, status }) => id.startsWith('bulk-') && status === 'active');
  const patches = () => service.requests.filter(({ method }) => method === 'PATCH');

  await ben.send('ops', '/belay alerts "volume bulk"');
  await ben.press(await ben.seeMessage('30 active: '), 'Clear all…');
  const form = await ben.seeDialog("This can't be undone.");
  service.setFault({ kind: 'slow', delayMs: 500 }, { method: 'PATCH' });
  await ben.submit(form, {});
  await vi.waitFor(() => expect(patches().length).toBeGreaterThan(5), patienceMs);
  expect(await belay.stop()).toBe(true);
  const progress = await ben.seeMessage('Clearing 30 alerts');
  expect(active().length).toBeGreaterThan(0);
  expect(active().length).toBeLessThan(30);

  service.setFault(undefined);
  const again = await startBelay(readConfig(env), { log: createLogger('silent') });
  onTestFinished(async () => void (await again.stop()));
  slack.connectApp(`http://127.0.0.1:${again.port}/slack/events`);
  const end = await seeAgain(ben, progress, 'Cleared 30 alerts');
  expect(end.text).toContain('30 cleared');
  expect(active()).toEqual([]);
  expect(patches()).toHaveLength(30);
});
