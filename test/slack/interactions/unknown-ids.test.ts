import { beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Actor } from '../../../playground/act-as.ts';
import { people } from '../../../playground/people.ts';
import {
  actions,
  button,
  type KnownBlock,
  message,
  notice,
  section,
} from '../../../src/slack/ui/blocks.ts';
import { selectField } from '../../../src/slack/ui/form-fields.ts';
import { type ModalView, noticeModal } from '../../../src/slack/ui/modal.ts';
import { commandRaw, openAnswerBox } from '../../support/raw-request.ts';
import { type Listening, listen, opsChannelId } from './listening.ts';

const oldButton =
  'This button is from another version of Belay. Nothing was changed. Run the command again.';
const oldForm =
  'This form is from another version of Belay. Nothing was changed. Run the command again.';

let at: Listening;
let ana: Actor;
let ben: Actor;
beforeEach(async () => {
  at = await listen();
  ana = at.person(people.ana);
  ben = at.person(people.ben);
  at.listeners.action('test.press', z.object({ id: z.string() }), async () => undefined);
});

const pressButton = button({ text: 'Press', actionId: 'gone.press', value: '{}' });
const withButton = (element: object = pressButton) =>
  message(
    [{ type: 'actions', elements: [{ ...pressButton, ...element }] }],
    'A message with a button.',
  );

const textsSeenBy = (person: Actor) =>
  person.snapshot().conversations.flatMap(({ messages }) => messages.map(({ text }) => text));

const user = { id: people.ana };

function post(payload: object) {
  const { teamId, domain } = at.workspace;
  const team = { id: teamId, domain };
  const whole = { team, user, enterprise: null, trigger_id: 'raw.1', ...payload };
  const body = new URLSearchParams({ payload: JSON.stringify(whole) }).toString();
  return at.slack.sendRaw({ body });
}

async function openModal(view: ModalView) {
  at.listeners.command('/belay', async ({ slack, triggerId }) => {
    await slack.views.open({ trigger_id: triggerId ?? '', view });
    return undefined;
  });
  await ana.send('ops', '/belay form');
  return ana.seeDialog(view.title.text);
}

function modalWith(blocks: KnownBlock[]): ModalView {
  return {
    ...noticeModal('A form', blocks),
    callback_id: 'gone.form',
    submit: { type: 'plain_text', text: 'Send' },
  };
}

describe('an unknown button in a message', () => {
  it('is answered privately, and its message is unchanged', async () => {
    expect(await ana.press(await at.post(withButton()), 'Press')).toEqual({ result: 'ok' });
    expect((await ana.seeMessage(oldButton)).text).toBe(oldButton);
    expect(await ana.seeMessage(oldButton)).toMatchObject({
      channelId: opsChannelId,
      isEphemeral: true,
    });
    await ben.seeMessage('A message with a button.');
    expect(textsSeenBy(ben).join()).not.toContain(oldButton);
  });

  it('is logged with its id, without its value', async () => {
    await ana.press(await at.post(withButton({ value: 'canary' })), 'Press');
    expect(await at.seeLogged('"gone.press"')).toContain(people.ana);
    expect(at.logged.join()).not.toContain('canary');
  });

  it('is denied to guests', async () => {
    const posted = await at.post(withButton());
    at.slack.setPerson(people.ana, { isGuest: true });
    expect(await ana.press(posted, 'Press')).toEqual({ result: 'ok' });
    await ana.seeMessage("Guests of this workspace can't use");
    expect(textsSeenBy(ana)).not.toContain(oldButton);
  });

  it('is only acknowledged if it is a link', async () => {
    const posted = await at.post(withButton({ url: 'https://example.com/' }));
    const asked = at.slack.calls.length;
    expect(await ana.press(posted, 'Press')).toEqual({ result: 'ok' });
    await ana.press(await at.post(withButton()), 'Press');
    await ana.seeMessage(oldButton);
    expect(textsSeenBy(ana).filter((text) => text === oldButton)).toHaveLength(1);
    expect(at.slack.calls.slice(asked).filter(({ method }) => method === 'users.info').length).toBe(
      1,
    );
  });
});

describe('an unknown element in a modal', () => {
  it('is answered in the modal if it is a button', async () => {
    const view = await openModal(modalWith([actions([pressButton])]));
    expect(await ana.press(view, 'Press')).toEqual({ result: 'ok' });
    await ana.seeDialog(oldButton);
  });

  it('is only acknowledged if it is a field', async () => {
    const field = selectField({ label: 'Field', choices: [{ value: 'a', label: 'A' }] })(
      'b',
    ).block();
    const element = { ...field.element, action_id: 'gone.field' };
    const view = await openModal(modalWith([{ ...field, element, dispatch_action: true }]));
    const act = { type: 'act', container: { kind: 'view', viewId: view.viewId } } as const;
    const on = { blockId: 'b', actionId: 'gone.field', value: 'a' };
    expect(await at.slack.perform(people.ana, { ...act, ...on })).toEqual({ result: 'ok' });
    expect((await ana.seeDialog('Field')).viewId).toBe(view.viewId);
    expect(at.slack.calls.map(({ method }) => method)).not.toContain('views.update');
  });
});

describe('an unknown form', () => {
  it('is replaced with a message', async () => {
    const view = await openModal(modalWith([section('Who is it?')]));
    expect(await ana.submit(view, {})).toEqual({ result: 'ok' });
    const answer = await ana.seeDialog(oldForm);
    expect(answer.viewId).toBe(view.viewId);
    expect(JSON.stringify(answer.blocks)).not.toContain('Who is it?');
  });

  it('is denied to guests', async () => {
    const view = await openModal(modalWith([section('Who is it?')]));
    at.slack.setPerson(people.ana, { isGuest: true });
    expect(await ana.submit(view, {})).toEqual({ result: 'ok' });
    await ana.seeDialog("Guests of this workspace can't use");
  });

  it('is only acknowledged when it is closed', async () => {
    const view = await openModal({ ...modalWith([section('Who?')]), notify_on_close: true });
    expect(await ana.close(view)).toEqual({ result: 'ok' });
  });
});

describe('a slash command with another name', () => {
  beforeEach(() => at.listeners.command('/belay', async () => notice('Welcome.')));

  async function run(name: string) {
    const { url: responseUrl, answer } = await openAnswerBox();
    const response = await commandRaw(at, {
      slackUserId: people.ana,
      name,
      text: 'alerts',
      responseUrl,
    });
    expect(response).toEqual({ status: 200, body: '' });
    return JSON.parse(await answer);
  }

  it('is answered privately with the name that Belay knows', async () => {
    expect(await run('/bel')).toMatchObject({
      text: 'Unknown command `/bel`. Run `/belay help` to see what Belay can do.',
      response_type: 'ephemeral',
    });
    expect((await run('/belay')).text).toBe('Welcome.');
  });

  it('is denied to guests', async () => {
    at.slack.setPerson(people.ana, { isGuest: true });
    expect((await run('/bel')).text).toContain("Guests of this workspace can't use");
  });
});

describe('other interactions without a listener', () => {
  it('an external select gets no options', async () => {
    const suggestion = { type: 'block_suggestion', action_id: 'gone', block_id: 'b', value: 'a' };
    const { status, body } = await post(suggestion);
    expect([status, JSON.parse(body)]).toEqual([200, { options: [] }]);
  });

  it.each(['dialog_cancellation', 'something_new'])('%s is acknowledged', async (type) => {
    expect(await post({ type, callback_id: 'gone' })).toEqual({ status: 200, body: '' });
  });

  it('a global shortcut is answered in a direct message', async () => {
    expect(await post({ type: 'shortcut', callback_id: 'gone' })).toEqual({
      status: 200,
      body: '',
    });
    expect((await ana.seeMessage(oldButton)).channelId).not.toBe(opsChannelId);
  });

  it.each([
    { type: 'message_action', callback_id: 'gone' },
    { type: 'interactive_message', callback_id: 'gone', actions: [{ type: 'button', name: 'a' }] },
    { type: 'dialog_submission', callback_id: 'gone' },
  ])('$type is answered at its response_url', async (payload) => {
    const { url, answer } = await openAnswerBox();
    const channel = { id: opsChannelId, name: 'ops' };
    const response = await post({ ...payload, channel, response_url: url });
    expect(response).toEqual({ status: 200, body: '' });
    expect(JSON.parse(await answer)).toMatchObject({
      text: payload.type === 'dialog_submission' ? oldForm : oldButton,
      response_type: 'ephemeral',
      replace_original: false,
    });
  });
});
