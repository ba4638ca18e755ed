import { expect, test } from 'vitest';
import { actAs } from '../../../../playground/act-as.ts';
import { ANA } from '../stage.ts';
import { MIA, OLGA, startSeveral } from './several.ts';

const textsSeenBy = (snapshot: { conversations: { messages: { text: string }[] }[] }) =>
  snapshot.conversations.flatMap(({ messages }) => messages.map(({ text }) => text));

test('people act in their own workspace, which payloads name', async () => {
  const at = await startSeveral();
  await at.install(at.second.teamId, OLGA);
  await actAs(at.slack, ANA).send('ops', '/belay help');
  await actAs(at.slack.workspace(at.second.teamId), MIA).send('ops', '/belay help');
  expect(at.app.deliveries.map(({ payload }) => payload)).toMatchObject([
    { team_id: at.first.teamId, user_id: ANA, channel_id: 'C0OPS00001' },
    { team_id: at.second.teamId, user_id: MIA, channel_id: 'C0W0000020' },
  ]);
  expect(await at.slack.perform(MIA, { type: 'send', channelId: 'C0W0000020', text: 'x' })).toEqual(
    { result: 'refused', reason: 'Person not found.' },
  );
});

test('a token reaches nothing of another workspace', async () => {
  const at = await startSeveral();
  const { token } = await at.install(at.second.teamId, OLGA);
  const own = { channel: 'C0W0000020', text: 'for Orchard' };
  expect(await at.call('chat.postMessage', token, own)).toMatchObject({ ok: true });
  const foreign = { channel: 'C0OPS00001', text: 'for Harbor' };
  expect(await at.call('chat.postMessage', token, foreign)).toEqual({
    ok: false,
    error: 'channel_not_found',
  });
  expect(await at.call('users.info', token, { user: ANA })).toMatchObject({
    error: 'user_not_found',
  });
  const strange = { channel: 'C0W0000020', user: ANA, text: 'for Ana' };
  expect(await at.call('chat.postEphemeral', token, strange)).toMatchObject({
    error: 'user_not_found',
  });
  expect(textsSeenBy(at.slack.snapshot(ANA))).toEqual([]);
  expect(textsSeenBy(at.slack.workspace(at.second.teamId).snapshot(MIA))).toEqual(['for Orchard']);
  expect(at.slack.calls.filter(({ caller }) => caller?.elsewhere)).toMatchObject([
    {
      method: 'chat.postMessage',
      caller: { targetId: at.second.teamId, elsewhere: at.first.teamId },
    },
    { method: 'users.info', caller: { targetId: at.second.teamId, elsewhere: at.first.teamId } },
    {
      method: 'chat.postEphemeral',
      caller: { targetId: at.second.teamId, elsewhere: at.first.teamId },
    },
  ]);
});

test('a trigger and a response URL belong to the workspace that they were made in', async () => {
  const at = await startSeveral();
  const { token } = await at.install(at.second.teamId, OLGA);
  await actAs(at.slack, ANA).send('ops', '/belay help');
  const { trigger_id, response_url } = at.app.deliveries.at(-1)?.payload ?? {};
  const view = JSON.stringify({
    type: 'modal',
    title: { type: 'plain_text', text: 'Hello' },
    blocks: [{ type: 'divider' }],
  });
  const answer = await at.call('views.open', token, { trigger_id: String(trigger_id), view });
  expect(answer).toMatchObject({ error: 'invalid_trigger_id' });
  await fetch(String(response_url), { method: 'POST', body: JSON.stringify({ text: 'Here.' }) });
  expect(textsSeenBy(at.slack.snapshot(ANA))).toEqual(['Here.']);
});

test('everything that the app sends is recorded with its workspace', async () => {
  const at = await startSeveral();
  const { token } = await at.install(at.second.teamId, OLGA);
  at.app.reply = ({ payload }) => ({ status: 200, body: { text: `To ${payload.team_id}.` } });
  await actAs(at.slack, ANA).send('ops', '/belay help');
  const responseUrl = String(at.app.deliveries.at(-1)?.payload.response_url);
  await fetch(responseUrl, { method: 'POST', body: JSON.stringify({ text: 'Later.' }) });
  await actAs(at.slack.workspace(at.second.teamId), MIA).send('ops', '/belay help');
  await at.call('chat.postMessage', token, { channel: 'C0W0000020', text: 'Posted.' });
  expect(at.slack.received).toMatchObject([
    {
      teamId: at.first.teamId,
      via: 'acknowledgement',
      content: { text: `To ${at.first.teamId}.` },
    },
    { teamId: at.first.teamId, via: 'response_url', content: { text: 'Later.' } },
    { teamId: at.second.teamId, via: 'acknowledgement' },
    { teamId: at.second.teamId, via: 'chat.postMessage', content: { text: 'Posted.' } },
  ]);
});

test('where the app is not installed, its command is unknown and nothing reaches the app', async () => {
  const at = await startSeveral();
  const mia = actAs(at.slack.workspace(at.second.teamId), MIA);
  await mia.send('ops', '/belay help');
  await mia.seeMessage('is not a valid command');
  expect(at.app.deliveries).toEqual([]);
});

test('ids of events are unique across workspaces', async () => {
  const at = await startSeveral((app) => {
    app.events = ['message.im'];
    app.scopes = [...app.scopes, 'im:history'];
  });
  await at.install(at.second.teamId, OLGA);
  await actAs(at.slack, ANA).send('Belay', 'hello');
  await actAs(at.slack.workspace(at.second.teamId), MIA).send('Belay', 'hello');
  await expect.poll(() => at.app.deliveries.length).toBe(2);
  const events = at.app.deliveries.map(({ payload }) => payload);
  expect(new Set(events.map(({ event_id }) => event_id)).size).toBe(2);
  expect(new Set(events.map(({ team_id }) => team_id))).toEqual(
    new Set([at.first.teamId, at.second.teamId]),
  );
});
