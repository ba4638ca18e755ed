import { expect, it } from 'vitest';
import { people } from '../../../playground/people.ts';
import { digestListMessage } from '../../../src/features/digests/views/digest-list-message.ts';
import { findAmong } from '../../../src/workspace/choose-connection.ts';
import { opsChannelId } from '../../slack/interactions/listening.ts';
import { buttonTexts } from '../../support/ask.ts';
import { fridayNine, startDigests, teamId } from './start-digests.ts';

const all = { now: fridayNine, findConnection: findAmong([]), mayChange: () => true, resumed: 0 };

type Stage = Awaited<ReturnType<typeof startDigests>>;

async function list(person: Stage['ana']) {
  await person.send('ops', '/belay digest');
  return person.seeMessage('1 digest in this channel');
}

it('shows buttons to people with permission, and the reason to others', async () => {
  const stage = await startDigests();
  await stage.addDigest({}, people.ben);
  const foreign = await list(stage.ana);
  expect(buttonTexts(foreign)).toEqual(['New digest']);
  expect(JSON.stringify(foreign.blocks)).toContain('Only the creator of a digest, approvers and');
  stage.world.approvers = [];
  for (const person of [stage.ben, stage.cleo]) {
    const seen = await list(person);
    expect(buttonTexts(seen)).toEqual(['Edit', 'End digest', 'New digest']);
    expect(JSON.stringify(seen.blocks)).not.toContain('Only the creator of a digest');
  }
});

it.each(['Edit', 'End digest'])('refuses %s to others with a reason', async (verb) => {
  const stage = await startDigests();
  const { store, ana, post } = stage;
  const before = await store.find(await stage.addDigest({}, people.ben));
  const digests = await store.list({ teamId, channelId: opsChannelId });
  const withButtons = await post(digestListMessage(opsChannelId, digests, all));
  await ana.press(withButtons, verb);
  await ana.seeMessage(
    'Only the creator of a digest, approvers and admins can change or end it. Nothing was changed.',
  );
  expect(ana.snapshot().views).toEqual([]);
  expect(await store.list({ teamId, channelId: opsChannelId })).toEqual([before]);
});

it('refuses a change if the person lost the right while the form was open', async () => {
  const stage = await startDigests();
  const { ben, store, world } = stage;
  const before = await store.find(await stage.addDigest());
  await ben.press(await list(ben), 'Edit');
  await ben.submit(await ben.seeDialog('Edit digest'), { time: { input: '10:15' } });
  const preview = await ben.seeDialog('This digest, if');
  world.approvers = [];
  await ben.submit(preview, {});
  await ben.seeMessage('can change or end it. Nothing was changed.');
  expect(await store.list({ teamId, channelId: opsChannelId })).toEqual([before]);
});
