import { expect, it } from 'vitest';
import { buttonTexts } from '../../support/ask.ts';
import { startWatches } from './watch-stage.ts';

const inOps = { teamId: 'T0HARBOR01', originId: undefined, channelId: 'C0OPS00001' };
const added = 'added a watch to this channel: policy changes made outside Belay.';

async function startPolicyWatch() {
  const stage = await startWatches();
  await stage.ana.send('ops', '/belay watch policies');
  await stage.ana.seeMessage('Belay reads the policies every 15 minutes.');
  return stage;
}

it('is announced, listed and ended like other watches', async () => {
  const { ana, ben, deliver, describe } = await startPolicyWatch();
  await deliver();
  await ben.seeMessage(added);
  await ana.send('ops', '/belay watch');
  const list = await ana.seeMessage('1 watch in this channel');
  expect(list.text).toContain('Policy changes made outside Belay\nAdded by <@');
  expect(buttonTexts(list)).toEqual(['End watch']);
  expect(await describe()).toContain('*Watch in this channel* · policy changes made outside Belay');
  await ana.press(list, 'End watch');
  await ana.seeMessage('Watch ended.');
  await deliver();
  await ben.seeMessage('ended a watch in this channel: policy changes made outside Belay.');
});

it("doesn't call direct messages a channel", async () => {
  const { ana, deliver } = await startWatches();
  await ana.send('Belay', '/belay watch policies');
  await ana.seeMessage('Policy changes made outside Belay are posted in this conversation.');
  await ana.send('Belay', '/belay watch policies');
  await ana.seeMessage('This conversation already has a watch for policy changes');
  await deliver();
  await ana.seeMessage('added a watch to this conversation: policy changes made outside Belay.');
});

it("can't be ended by other members", async () => {
  const { ana, ben } = await startWatches();
  await ben.send('ops', '/belay watch policies');
  await ben.seeMessage('Watch added.');
  await ana.send('ops', '/belay watch');
  expect(buttonTexts(await ana.seeMessage('1 watch in this channel'))).toEqual([]);
});

it.each(['off', 'end', 'stop', 'list'])(
  'is listed by "policies %s", as others are',
  async (word) => {
    const { ana } = await startPolicyWatch();
    await ana.send('ops', `/belay watch policies ${word}`);
    await ana.seeMessage('1 watch in this channel');
  },
);

it('counts as one of the watches that a channel can have, once', async () => {
  const { ana, policyWatches, connectionId, deliver, said } = await startPolicyWatch();
  await ana.send('ops', '/belay watch policies');
  await ana.seeMessage('This channel already has a watch for policy changes made outside Belay');
  await deliver();
  expect(said().filter((text) => text.includes(added))).toHaveLength(1);
  const at = new Date();
  const other = { ...inOps, originId: connectionId, channelId: 'C2', by: 'U1', at };
  expect(await policyWatches.start(other, { max: 0 })).toEqual({ result: 'too-many' });
});

it.each(['/belay watch', '/belay watch policies'])('is resumed by %s', async (command) => {
  const { ana, slack, deliver, policyWatches } = await startPolicyWatch();
  slack.failNext('chat.postMessage', 'not_in_channel');
  await deliver();
  expect((await policyWatches.list(inOps))[0]).toMatchObject({
    pausedReason: expect.stringContaining('Invite Belay'),
  });
  await ana.send('ops', command);
  const answer = await ana.seeMessage('1 paused policy watch resumed.');
  expect(answer.text).not.toContain('Paused:');
  expect((await policyWatches.list(inOps))[0]).toMatchObject({ pausedReason: undefined });
});
