import { beforeEach, describe, expect, it } from 'vitest';
import type { Actor } from '../../../playground/act-as.ts';
import { people } from '../../../playground/people.ts';
import type { Retry } from '../../../playground/slack/delivery.ts';
import { message, notice, section } from '../../../src/slack/ui/blocks.ts';
import { type Listening, listen, opsChannelId } from './listening.ts';

const directChannelId = 'D0ANA00001';
const belay = 'U0BELAYBOT';

let at: Listening;
let ana: Actor;
/** How often the listener ran. */
let runs: number;
/** The text that it was last called with. */
let typed: string;

beforeEach(async () => {
  at = await listen();
  at.workspace.app.events = ['message.im', 'app_mention'];
  at.workspace.app.scopes = [...at.workspace.app.scopes, 'im:history', 'app_mentions:read'];
  ana = at.person(people.ana);
  runs = 0;
  at.listeners.message(async ({ text }) => {
    runs += 1;
    typed = text;
    return notice(`Answer ${runs}.`);
  });
});

const answersIn = (person: Actor, channelId: string) =>
  person
    .snapshot()
    .conversations.find((one) => one.channelId === channelId)
    ?.messages.filter(({ isApp }) => isApp) ?? [];

/** The envelope of an event. */
const envelopeOf = (event: object, eventId = 'Ev1') => ({
  type: 'event_callback',
  team_id: at.workspace.teamId,
  event_id: eventId,
  api_app_id: at.workspace.app.appId,
  event,
  authorizations: [
    { team_id: at.workspace.teamId, enterprise_id: null, user_id: belay, is_bot: true },
  ],
});

const deliver = (event: object, eventId?: string, retry?: Retry) =>
  at.slack.deliver('events_api', envelopeOf(event, eventId), retry);

const written = {
  type: 'message',
  channel_type: 'im',
  channel: directChannelId,
  user: people.ana,
  text: 'hello',
  ts: '1.000001',
  event_ts: '1.000001',
};

describe('a direct message', () => {
  it('is answered there, and Belay does not answer its own answer', async () => {
    expect(await ana.send('Belay', 'hello')).toEqual({ result: 'ok' });
    await ana.seeMessage('Answer 1.');
    await ana.send('Belay', 'anything else');
    await ana.seeMessage('Answer 2.');
    const answers = answersIn(ana, directChannelId);
    expect(answers.map(({ text }) => text)).toEqual(['Answer 1.', 'Answer 2.']);
    expect(answers.every(({ isEphemeral }) => !isEphemeral)).toBe(true);
  });

  it('may begin with the mention of a person', async () => {
    await deliver({ ...written, text: `<@${people.ben}> <@${belay}>` });
    await ana.seeMessage('Answer 1.');
    expect(typed).toBe(`<@${people.ben}>`);
  });

  it('in a thread is answered in the thread', async () => {
    await deliver({ ...written, thread_ts: '1.000000' });
    expect(await ana.seeMessage('Answer 1.')).toMatchObject({ threadTs: '1.000000' });
  });

  it('is acknowledged before it is answered', async () => {
    const { promise: work, resolve: finish } = Promise.withResolvers<void>();
    at.listeners.message(() => work.then(() => notice('At last.')));
    expect(await deliver(written)).toMatchObject({ kind: 'acked' });
    finish();
    await ana.seeMessage('At last.');
  });

  it('of a guest is refused', async () => {
    await at.person(people.gus).send('Belay', 'hello');
    await at.person(people.gus).seeMessage("Guests of this workspace can't use Belay.");
    expect(runs).toBe(0);
    expect(at.outsiders).toMatchObject([{ listener: 'message', membership: 'guest' }]);
  });
});

it.each(['Belay', 'ops'])('is answered in %s with as much as fits a message', async (to) => {
  const lines = Array.from({ length: 10 }, (_, index) => `${index}. ${'word '.repeat(400)}`);
  at.listeners.message(async () => message(lines.map((line) => section(line))));
  await ana.send(to, '@Belay help');
  const { blocks } = await ana.seeMessage('The rest is too long for a message.');
  expect(blocks).toHaveLength(5);
  expect(JSON.stringify(blocks)).toContain('3. word');
});

describe('a mention', () => {
  it('is answered for the person only', async () => {
    await ana.send('ops', 'Morning! @Belay help');
    await ana.seeMessage('Answer 1.');
    expect(answersIn(ana, opsChannelId)).toMatchObject([{ isEphemeral: true }]);
    expect(answersIn(at.person(people.ben), opsChannelId)).toEqual([]);
  });

  it('in a thread is answered in the thread', async () => {
    const mention = { ...written, type: 'app_mention', channel: opsChannelId };
    await deliver({ ...mention, channel_type: undefined, thread_ts: '1.000000' });
    expect(await ana.seeMessage('Answer 1.')).toMatchObject({
      threadTs: '1.000000',
      isEphemeral: true,
    });
  });

  it('is no part of the text, wherever it is', async () => {
    await ana.send('ops', '@Belay, errors');
    await ana.seeMessage('Answer 1.');
    expect(typed).toBe('errors');
    await ana.send('ops', 'errors today @Belay');
    await ana.seeMessage('Answer 2.');
    expect(typed).toBe('errors today');
  });

  it('reaches Belay only if the app is subscribed, as older installations are not', async () => {
    at.workspace.app.events = [];
    await ana.send('ops', '@Belay help');
    await ana.send('Belay', 'hello');
    at.workspace.app.events = ['message.im'];
    await ana.send('Belay', 'hello again');
    await ana.seeMessage('Answer 1.');
    expect(runs).toBe(1);
  });
});

it.each<[string, object]>([
  ['a bot', { ...written, subtype: 'bot_message', bot_id: 'B1' }],
  ['a bot with a user id', { ...written, bot_id: 'B1' }],
  ['Belay', { ...written, user: belay }],
  ['an edit', { ...written, subtype: 'message_changed', message: written }],
  ['a deletion', { ...written, subtype: 'message_deleted' }],
  ['an edited mention', { ...written, type: 'app_mention', edited: { user: people.ana, ts: '2' } }],
  ['a channel', { ...written, channel_type: 'channel', channel: opsChannelId }],
  ['nobody', { ...written, user: undefined }],
])('a message of %s is not answered', async (_, event) => {
  expect(await deliver(event, 'Ev1')).toMatchObject({ kind: 'acked' });
  await deliver(written, 'Ev2');
  await ana.seeMessage('Answer 1.');
  expect(runs).toBe(1);
});

describe('an event that Slack repeats', () => {
  it('is answered once, whichever process the repetition reaches', async () => {
    await deliver(written, 'Ev1');
    await ana.seeMessage('Answer 1.');
    await deliver(written, 'Ev1', { num: 1, reason: 'http_error' });
    // Acknowledged too late by another process, which answers it.
    await deliver(written, 'Ev2', { num: 1, reason: 'http_timeout' });
    await deliver(written, 'Ev3');
    await ana.seeMessage('Answer 2.');
    expect(runs).toBe(2);
  });

  it('is answered if no process had received it', async () => {
    await deliver(written, 'Ev1', { num: 1, reason: 'connection_failed' });
    await ana.seeMessage('Answer 1.');
  });
});
