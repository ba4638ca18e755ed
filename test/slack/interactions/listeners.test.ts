import { beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Actor } from '../../../playground/act-as.ts';
import { people } from '../../../playground/people.ts';
import { actions, button, notice } from '../../../src/slack/ui/blocks.ts';
import { encodeValue } from '../../../src/slack/ui/codec.ts';
import { commandRaw, openAnswerBox } from '../../support/raw-request.ts';
import { type Listening, listen, referenceIn } from './listening.ts';

let at: Listening;
let ana: Actor;
let ben: Actor;
/** The arguments of the listeners that ran. */
let ran: unknown[];

beforeEach(async () => {
  at = await listen();
  ana = at.person(people.ana);
  ben = at.person(people.ben);
  ran = [];
});

const textsSeenBy = (person: Actor) =>
  person.snapshot().conversations.flatMap(({ messages }) => messages.map(({ text }) => text));

it('refuses a second listener for the same id', () => {
  const add = () => at.listeners.action('same', z.string(), async () => undefined);
  add();
  expect(add).toThrow('there are two listeners for same');
});

describe('a command', () => {
  it('is acknowledged immediately, shows progress after a second, and then the answer', async () => {
    const { promise: work, resolve: finish } = Promise.withResolvers<void>();
    at.listeners.command('/belay', async () => {
      await work;
      return notice('Here it is.');
    });
    expect(await ana.send('ops', '/belay alerts')).toEqual({ result: 'ok' });
    expect((await ana.seeMessage('One moment…')).text).toBe('Working on it. One moment…');
    expect(textsSeenBy(ana).join()).not.toContain('Here it is.');
    finish();
    expect(await ana.seeMessage('Here it is.')).toMatchObject({ isEphemeral: true });
    expect(textsSeenBy(ben).join()).not.toMatch(/One moment|Here it is/);
  });

  it('gets the text as typed, without the links that Slack adds', async () => {
    at.listeners.command('/belay', async ({ text }) => notice(text));
    const { url: responseUrl, answer } = await openAnswerBox();
    const text = 'alerts <http://vm-12.example.com|vm-12.example.com> <@U0BEN00002|ben> &lt;b&gt;';
    await commandRaw(at, { slackUserId: people.ana, text, responseUrl });
    expect(JSON.parse(await answer)).toMatchObject({
      text: 'alerts vm-12.example.com <@U0BEN00002|ben> &lt;b&gt;',
    });
  });

  it.each([503, 429])('is answered again when Slack fails the answer with %i', async (status) => {
    at.listeners.command('/belay', async () => notice('Here it is.'));
    at.slack.failNext('response_url', { status });
    await ana.send('ops', '/belay alerts');
    expect(await ana.seeMessage('Here it is.')).toMatchObject({ isEphemeral: true });
  });

  it('whose answer Slack refuses for good is reported once', async () => {
    at.listeners.command('/belay', async () => notice('Here it is.'));
    at.slack.failNext('response_url', { status: 404 });
    await ana.send('ops', '/belay alerts');
    await ana.seeMessage('It broke.');
    expect(textsSeenBy(ana).join()).not.toContain('Here it is.');
  });

  it('that throws is reported privately, with the reference of the log line', async () => {
    at.listeners.command('/belay', async () => {
      throw Object.assign(new Error('the inner fault'), { secret: 'canary' });
    });
    await ana.send('ops', '/belay alerts');
    const answer = await ana.seeMessage('It broke.');
    expect(answer).toMatchObject({ isEphemeral: true });
    const reference = referenceIn(answer);
    expect(JSON.parse(await at.seeLogged(reference))).toMatchObject({
      reference,
      listener: '/belay',
      slackUserId: people.ana,
      err: { message: 'the inner fault' },
    });
    expect(at.logged.join()).not.toContain('canary');
  });

  it('whose answer cannot be delivered is logged', async () => {
    at.listeners.command('/belay', async () => notice('Nobody hears this.'));
    for (let times = 0; times < 2; times += 1) {
      at.slack.failNext('response_url', { status: 404 });
    }
    await ana.send('ops', '/belay alerts');
    const line = await at.seeLogged('a failure could not be reported');
    expect(line).toContain('"listener":"/belay"');
    expect(at.logged.join()).not.toContain('Nobody hears this');
  });

  it("is reported as failed if the caller can't be looked up", async () => {
    at.listeners.command('/belay', async () => notice('Here it is.'));
    at.slack.failNext('users.info', 'internal_error');
    await ana.send('ops', '/belay alerts');
    await ana.seeMessage('It broke.');
    expect(textsSeenBy(ana).join()).not.toContain('Here it is.');
  });
});

describe('access to commands', () => {
  beforeEach(() => {
    at.listeners.command('/belay', async ({ person }) => {
      ran.push(person);
      return notice('Welcome.');
    });
  });

  it.each([
    { who: people.gus, words: 'Guests of this workspace' },
    { who: people.sam, words: 'People from other workspaces' },
  ])('is denied to $words', async ({ who, words }) => {
    const person = at.person(who);
    await person.send('ops', '/belay alerts');
    await person.seeMessage(`${words} can't use Belay`);
    expect(ran).toEqual([]);
    expect(at.logged.join()).toContain('refused someone who is not a full member');
  });

  it('depends on the current membership', async () => {
    await ana.send('ops', '/belay alerts');
    await ana.seeMessage('Welcome.');
    expect(ran).toMatchObject([{ slackUserId: people.ana, membership: 'member', isAdmin: false }]);
    at.slack.setPerson(people.ana, { isGuest: true });
    await ana.send('ops', '/belay alerts');
    await ana.seeMessage("Guests of this workspace can't use Belay");
    expect(ran).toHaveLength(1);
  });
});

describe('many calls', () => {
  let now = 0;
  const infoCalls = () => at.slack.calls.filter(({ method }) => method === 'users.info').length;

  beforeEach(async () => {
    at = await listen(() => now);
    at.listeners.command('/belay', async () => notice('Welcome.'));
  });

  async function run(slackUserId: string): Promise<string> {
    const { url: responseUrl, answer } = await openAnswerBox();
    await commandRaw(at, { slackUserId, text: 'alerts', responseUrl });
    return answer;
  }

  it('of one person are answered up to 60 commands a minute', async () => {
    const answers = [];
    for (let count = 0; count < 60; count += 1) answers.push(await run(people.ana));
    expect(answers.filter((answer) => answer.includes('Welcome.'))).toHaveLength(60);

    const callsBefore = infoCalls();
    now += 18_000;
    expect(await run(people.ana)).toContain(
      "You've sent more than 60 commands within a minute. Nothing was changed. Try again in 42 seconds.",
    );
    expect(infoCalls()).toBe(callsBefore);
    expect(await run(people.ben)).toContain('Welcome.');
    now += 42_000;
    expect(await run(people.ana)).toContain('Welcome.');
  });

  it('of a guest cost Slack one lookup a minute, and each is reported', async () => {
    for (let count = 0; count < 3; count += 1) {
      expect(await run(people.gus)).toContain("Guests of this workspace can't use Belay");
    }
    expect(infoCalls()).toBe(1);
    const outsider = { slackUserId: people.gus, membership: 'guest', listener: '/belay' };
    expect(at.outsiders).toMatchObject([outsider, outsider, outsider]);

    at.slack.setPerson(people.gus, { isGuest: false });
    now += 60_000;
    expect(await run(people.gus)).toContain('Welcome.');
  });
});

describe('a button', () => {
  const schema = z.object({ id: z.string() });
  const withButton = (value: string) => ({
    ...notice('A message with a button.'),
    blocks: [actions([button({ text: 'Press', actionId: 'test.press', value })])],
  });
  const run = async ({ value }: { value: { id: string } }) => {
    ran.push(value);
    return { reply: notice('Pressed.') };
  };

  it('passes its value to the listener, and answers privately', async () => {
    at.listeners.action('test.press', schema, run);
    await ana.press(await at.post(withButton(encodeValue({ id: 'x' }))), 'Press');
    expect(await ana.seeMessage('Pressed.')).toMatchObject({ isEphemeral: true });
    expect(ran).toEqual([{ id: 'x' }]);
  });

  it('answers a member without the right even if this cannot be recorded', async () => {
    at.listeners.action('test.press', schema, run, { needs: () => 'Only admins can press it.' });
    await ana.press(await at.post(withButton(encodeValue({ id: 'x' }))), 'Press');
    await ana.seeMessage('Only admins can press it.');
    const slackUserId = people.ana;
    expect(at.missingRights).toMatchObject([{ slackUserId, used: 'test.press' }]);
    expect(ran).toEqual([]);
    await at.seeLogged('a refusal could not be recorded');
  });

  it.each(['nonsense', '{"id":7}', '[]', 'null'])(
    'with value %s is answered as outdated, and does not run',
    async (value) => {
      at.listeners.action('test.press', schema, run);
      await ana.press(await at.post(withButton(value)), 'Press');
      await ana.seeMessage('from another version of Belay. Nothing was changed.');
      expect(ran).toEqual([]);
    },
  );

  it('is denied to guests', async () => {
    at.listeners.action('test.press', schema, run);
    const message = await at.post(withButton(encodeValue({ id: 'x' })));
    at.slack.setPerson(people.ana, { isGuest: true });
    await ana.press(message, 'Press');
    await ana.seeMessage("Guests of this workspace can't use Belay");
    expect(ran).toEqual([]);
  });

  it('can replace its message for everyone', async () => {
    at.listeners.action('test.press', schema, async () => ({ replace: notice('It is done.') }));
    const message = await at.post(withButton(encodeValue({ id: 'x' })));
    await ana.press(message, 'Press');
    expect(await ben.seeMessage('It is done.')).toMatchObject({ messageTs: message.messageTs });
  });

  it('that fails is reported privately, and leaves its message unchanged', async () => {
    at.listeners.action('test.press', schema, async () => {
      throw new Error('the inner fault');
    });
    await ana.press(await at.post(withButton(encodeValue({ id: 'x' }))), 'Press');
    const answer = await ana.seeMessage('It broke.');
    expect(answer).toMatchObject({ isEphemeral: true });
    expect(await at.seeLogged(referenceIn(answer))).toContain('"listener":"test.press"');
    await ben.seeMessage('A message with a button.');
    expect(textsSeenBy(ben).join()).not.toContain('It broke.');
  });
});
