import { expect, test } from 'vitest';
import { seeAgain } from '../../support/ask.ts';
import { stageRestores } from './restore-stage.ts';

const minuteMs = 60_000;
const stage = stageRestores({}, minuteMs);

test('a restore that was interrupted before it was sent is sent after a minute', async () => {
  const { ana, ben, slack, service, belay } = stage.world();
  const message = await stage.request(ana);
  // Belay looks up the people after the backup, so the run waits here.
  service.setFault({ kind: 'held' }, { method: 'GET' });
  await ben.press(message, 'Approve');
  await seeAgain(ana, message, 'Belay is making the change.');
  slack.failNext('users.info', 'internal_error');
  service.setFault(undefined);
  await seeAgain(ana, message, "The change hasn't been sent yet.");
  stage.advance(2 * minuteMs);
  await belay.sweep();
  await stage.sweepUntil(ana, message, 'was restored to a new volume');
  expect(stage.posts()).toHaveLength(1);
});
