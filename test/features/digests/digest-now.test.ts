import { expect, test } from 'vitest';
import { addEast } from '../../support/add-connection.ts';
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

test('/belay digest now reads the connection of the digest, and so do its buttons', async () => {
  const { ana } = world();
  await addEast(world());
  await ana.send('ops', '/belay digest new on:east');
  await ana.submit(await ana.seeDialog('Time zone'), {});
  await ana.submit(await ana.seeDialog('This digest, if posted now'), {});
  await ana.seeMessage('Digest saved: ');
  await ana.send('ops', '/belay digest now');
  const digest = await ana.seeMessage(/Digest · .*Connection: east/s);
  await ana.press(digest, 'View details');
  await ana.seeDialog('Connection: *east*');
});
