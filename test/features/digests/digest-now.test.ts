import { expect, test } from 'vitest';
import { messagesOf } from '../../support/ask.ts';
import { shareWorld } from '../../support/world.ts';

const world = shareWorld();

test('/belay digest now shows a digest of the last day to the reader alone', async () => {
  const { ana, ben } = world();
  await ana.send('ops', '/belay digest now');
  const digest = await ana.seeMessage('Digest');
  expect(digest.isEphemeral).toBe(true);
  expect(digest.text).toMatch(/active/i);
  expect(messagesOf(ben)).toEqual([]);
});
