import { expect, test } from 'vitest';
import { createAdjustableClock } from '../../playground/adjustable-clock.ts';
import { planStory } from '../../playground/story/story-times.ts';
import { startWorld } from '../support/world.ts';

test.each([
  ['2026-11-28T20:00:00Z', '2026-11-28T08:00:00.000Z'],
  ['2026-11-28T08:30:00Z', '2026-11-27T08:00:00.000Z'],
  ['2026-11-28T01:00:00Z', '2026-11-27T08:00:00.000Z'],
  // Summer time in Lisbon.
  ['2026-07-01T20:00:00Z', '2026-07-01T07:00:00.000Z'],
])('at %s, the last digest is the one of %s', (now, digest) => {
  expect(planStory(new Date(now)).digest.toISOString()).toBe(digest);
});

test('the channel tells what happened in the last days, and Belay goes on from there', async () => {
  const story = planStory(new Date());
  const { ana, ben } = await startWorld({
    story,
    adjustableClock: createAdjustableClock(story.begin),
    intervals: { pollWatches: 250, observePolicies: 250 },
    env: { BELAY_POLICY_READ_MINUTES: '1' },
  });
  // On a busy machine, a command also shows for a moment that it is working.
  const messages = (ana.snapshot().conversations[0]?.messages ?? []).filter(
    ({ text }) => !text.startsWith('Working on it.'),
  );
  const told = [
    'all new alerts',
    'policy changes',
    'Cleared · Warning',
    'Joana is on leave',
    'Completed: *Joana Prado*',
    'Cleared · ',
    'Policy changed outside Belay',
    "I'll ask in the storage team",
    'added a digest',
    'Error · ',
    'Warning · ',
    'Digest · ',
    'Compliance: ',
    'Pending: ',
  ];
  expect(messages.map(({ text }) => text)).toEqual(
    told.map((text) => expect.stringContaining(text)),
  );
  const times = messages.map(({ messageTs }) => Number(messageTs) * 1000);
  expect(times).toEqual(times.toSorted());
  expect(times[0]).toBeLessThan(Date.now() - 2 * 86_400_000);
  const blocks = messages.flatMap((message) => message.blocks ?? []);
  expect(blocks.map(({ type }) => type)).toContain('data_visualization');
  const words = blocks.map((block) => JSON.stringify(block));
  expect(words.filter((text) => /Posted .* late|hasn't been able/.test(text))).toEqual([]);

  const request = await ben.seeMessage('Back from leave on Monday');
  await ben.press(request, 'Approve');
  const done = await ben.seeMessage(/Mariana Costa[^"]* is re-enabled|is enabled/);
  expect(done.messageTs).toBe(request.messageTs);
  await ana.send('ops', '/belay');
  await ana.seeMessage('Overview');
});
