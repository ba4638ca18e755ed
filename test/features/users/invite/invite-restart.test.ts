import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createAdjustableClock } from '../../../../playground/adjustable-clock.ts';
import { startBelay } from '../../../../src/app.ts';
import { readConfig } from '../../../../src/config.ts';
import { createLogger } from '../../../../src/logger.ts';
import { messagesOf, seeAgain } from '../../../support/ask.ts';
import { startWorld } from '../../../support/world.ts';
import { dayMs, invitation, kim } from './invite-stage.ts';

test('the next process tells that an invitation expired', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'belay-invite-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const adjustableClock = createAdjustableClock();
  const world = await startWorld({
    databaseUrl: `pglite:${folder}/data`,
    dialect: 'live',
    adjustableClock,
  });
  const { ana, ben, belay, env, slack } = world;
  await ana.send('ops', `/belay invite ${kim}`);
  await ana.submit(await ana.seeDialog('Organizational units'), invitation);
  const request = await ana.seeMessage('requests approval to invite');
  await ben.press(request, 'Approve');
  await seeAgain(ana, request, 'Completed');
  await belay.stop();

  const clock = adjustableClock.now;
  const again = await startBelay(readConfig(env), { log: createLogger('silent'), clock });
  onTestFinished(async () => void (await again.stop()));
  slack.connectApp(`http://127.0.0.1:${again.port}/slack/events`);
  adjustableClock.moveBy(8 * dayMs);
  await again.sweep();
  await seeAgain(ana, request, 'the invitation expired');
  const told = () =>
    messagesOf(ana).filter(({ text }) =>
      /the invitation expired[\s\S]*Your request to invite/.test(text),
    );
  await ana.see(() => told()[0], 'the news');
  await again.sweep();
  expect(told()).toHaveLength(1);
});
