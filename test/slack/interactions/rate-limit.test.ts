import { beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { people } from '../../../playground/people.ts';
import type { Message, OpenView } from '../../../playground/slack/protocol.ts';
import { actions, button, notice } from '../../../src/slack/ui/blocks.ts';
import { defineForm } from '../../../src/slack/ui/form.ts';
import { textField } from '../../../src/slack/ui/form-fields.ts';
import { noticeModal } from '../../../src/slack/ui/modal.ts';
import { clickRaw, commandRaw, openAnswerBox } from '../../support/raw-request.ts';
import { type Listening, listen } from './listening.ts';

let now = 0;
let at: Listening;
let on: Message;

beforeEach(async () => {
  at = await listen(() => now);
  at.listeners.command('/belay', async () => notice('Welcome.'));
  at.listeners.action('test.press', z.object({}), async () => ({ reply: notice('Pressed.') }));
  on = await at.post({
    ...notice('A message with a button.'),
    blocks: [actions([button({ text: 'Press', actionId: 'test.press', value: '{}' })])],
  });
});

async function press(slackUserId: string): Promise<string> {
  const { url: responseUrl, answer } = await openAnswerBox();
  await clickRaw(at, { slackUserId, on, button: 'Press', responseUrl });
  return answer;
}

async function pressOften(times = 120): Promise<void> {
  for (let count = 0; count < times; count += 1) {
    expect(await press(people.ana)).toContain('Pressed.');
  }
}

const refusal = (seconds: number) =>
  `You've sent more than 120 clicks and forms within a minute. Nothing was changed. Try again in ${seconds} seconds.`;

it('answers 120 clicks of one person a minute, and says so after that', async () => {
  await pressOften();
  const callsBefore = at.slack.calls.filter(({ method }) => method === 'users.info').length;
  now += 18_000;
  expect(await press(people.ana)).toContain(refusal(42));
  expect(at.slack.calls.filter(({ method }) => method === 'users.info')).toHaveLength(callsBefore);

  const { url: responseUrl, answer } = await openAnswerBox();
  await commandRaw(at, { slackUserId: people.ana, text: 'alerts', responseUrl });
  expect(await answer).toContain('Welcome.');
  expect(await press(people.ben)).toContain('Pressed.');
  now += 42_000;
  expect(await press(people.ana)).toContain('Pressed.');
});

const noteForm = defineForm('test.form', {
  metadata: z.object({}),
  fields: { note: textField({ label: 'Note', maxLength: 50, isMultiline: true }) },
});

async function openForm(): Promise<OpenView> {
  const view = noteForm.modal({
    title: 'A form',
    submit: 'Send',
    metadata: {},
    blocks: [noteForm.fields.note.block()],
  });
  at.listeners.action('test.open', z.object({}), async ({ slack, triggerId }) => {
    await slack.views.open({ trigger_id: triggerId ?? '', view });
    return undefined;
  });
  const opener = await at.post({
    ...notice('A message that opens a form.'),
    blocks: [actions([button({ text: 'Open', actionId: 'test.open', value: '{}' })])],
  });
  const ana = at.person(people.ana);
  await ana.press(opener, 'Open');
  return ana.seeDialog('A form');
}

it('does not run a form beyond the limit, and returns what was typed', async () => {
  const ran: string[] = [];
  at.listeners.form(noteForm, {
    run: async () => void ran.push('submission'),
  });
  const form = await openForm();
  await pressOften(119);
  const ana = at.person(people.ana);
  await ana.submit(form, { note: { input: 'Still needed' } });
  const { text } = await ana.seeMessage('What you wrote:');
  expect(text).toContain('Nothing was changed. Try again in');
  expect(text).toContain('Still needed');
  expect(ran).toEqual([]);
});

it('does not verify a form beyond the limit, which stays open and says so', async () => {
  at.listeners.form(noteForm, {
    pending: noticeModal('A form', []),
    verify: async () => ({ done: noticeModal('Done', []) }),
  });
  const form = await openForm();
  await pressOften(119);
  const ana = at.person(people.ana);
  await ana.submit(form, { note: { input: 'Still needed' } });
  const refused = await ana.seeDialog("You've sent more than 120 clicks and forms");
  expect(refused.viewId).toBe(form.viewId);
  expect(refused.errors).toEqual({ note: expect.stringContaining('Nothing was changed.') });
});
