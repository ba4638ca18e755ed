import { expect, it } from 'vitest';
import { firstOfPeriod, startDigests, thursdayText } from './start-digests.ts';

it('covers the period of a digest that Slack refused in the next digest', async () => {
  const { addDigest, raise, run, at, posted, slack } = await startDigests();
  await addDigest({ parts: ['new'] });
  raise({ id: 'friday', severity: 'error', name: 'vm-77', ...firstOfPeriod });
  slack.failNext('chat.postMessage', 'invalid_blocks');
  expect(await run()).toBe(1);
  expect(posted()).toEqual([]);
  at('2026-03-07T08:00:00Z');
  expect(await run()).toBe(1);
  const [message] = posted();
  expect(message?.text.startsWith(`Digest · since ${thursdayText}`)).toBe(true);
  expect(JSON.stringify(message?.blocks)).toContain('vm-77');
});
