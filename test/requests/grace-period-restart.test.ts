import { expect, onTestFinished, test } from 'vitest';
import { startBelay } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { createLogger } from '../../src/logger.ts';
import { ask, buttonTexts, heardBack, seeAgain } from '../support/ask.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { startWorld } from '../support/world.ts';

test('a scheduled deletion runs after a restart, and its button still works', async () => {
  let ahead = 0;
  const clock = () => new Date(Date.now() + ahead);
  const world = await startWorld({ databaseUrl: `pglite:${temporaryFolder()}/data`, clock });
  const { ana, ben, belay, env, service, portal, slack } = world;
  const userNow = (email: string) => service.users(portal.id).find((user) => user.email === email);
  const requests = [];
  const emails = ['joana.prado@example.com', 'kim.lee@example.com'] as const;
  for (const [index, email] of emails.entries()) {
    const request = await ask(ana, `/belay delete ${email}`, { email: { input: email } });
    await ben.press(request, 'Approve');
    await heardBack(ana, index + 1);
    requests.push(await seeAgain(ana, request, 'will be deleted'));
  }
  const [goes, stays] = requests;
  if (!goes || !stays) throw new Error('there are no requests');

  await belay.stop();
  const again = await startBelay(readConfig(env), { log: createLogger('silent'), clock });
  onTestFinished(async () => void (await again.stop()));
  slack.connectApp(`http://127.0.0.1:${again.port}/slack/events`);

  await ana.press(stays, 'Cancel deletion');
  await seeAgain(ana, stays, 'is enabled again.');
  ahead = 31 * 60_000;
  await again.sweep();
  expect(buttonTexts(await seeAgain(ana, goes, 'is deleted.'))).toEqual([]);
  expect(userNow(emails[0])).toBeUndefined();
  expect(userNow(emails[1])?.is_enabled).toBe(true);
});
