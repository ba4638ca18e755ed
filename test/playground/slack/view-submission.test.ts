import { expect, test } from 'vitest';
import { directChannelId } from '../../../playground/slack/conversations.ts';
import { input, modal, option, plain } from './sample-blocks.ts';
import { ANA, BEN, DEE, OPS, type Stage, shortAckTimeout, startStage } from './stage.ts';

const reason = input('reason', { type: 'plain_text_input', action_id: 'text', min_length: 3 });
const section = { type: 'section' as const, text: plain('Done') };

const open = async (stage: Stage, view = modal([reason])) => {
  const { trigger_id } = await stage.command(ANA);
  const opened = await stage.client.views.open({ trigger_id, view });
  stage.app.deliveries.length = 0;
  return opened.view?.id ?? '';
};

const submit = (stage: Stage, viewId: string, text = 'because') =>
  stage.slack.perform(ANA, { type: 'submit', viewId, values: { reason: { text } } });

const top = (stage: Stage) => stage.slack.snapshot(ANA).views.at(-1);

test('untouched fields are submitted with their initial values', async () => {
  const stage = await startStage();
  const options = [option('a'), option('b')];
  const viewId = await open(
    stage,
    modal([
      input('text', { type: 'plain_text_input', action_id: 'x', initial_value: 'as it was' }),
      input('one', { type: 'static_select', action_id: 'x', options, initial_option: option('b') }),
      input('some', { type: 'checkboxes', action_id: 'x', options, initial_options: options }),
      input('who', { type: 'users_select', action_id: 'x', initial_user: BEN }),
      input('none', { type: 'plain_text_input', action_id: 'x' }, true),
      input('cleared', { type: 'users_select', action_id: 'x', initial_user: BEN }, true),
    ]),
  );
  const values = { cleared: { x: null } };
  expect(await stage.slack.perform(ANA, { type: 'submit', viewId, values })).toEqual({
    result: 'ok',
  });
  const [delivery] = stage.app.deliveries;
  expect(delivery?.payload).toMatchObject({
    type: 'view_submission',
    user: { id: ANA },
    view: {
      id: viewId,
      callback_id: 'form',
      hash: expect.any(String),
      state: {
        values: {
          text: { x: { type: 'plain_text_input', value: 'as it was' } },
          one: { x: { selected_option: option('b') } },
          some: { x: { selected_options: options } },
          who: { x: { selected_user: BEN } },
          none: { x: { value: null } },
          cleared: { x: { selected_user: null } },
        },
      },
    },
    response_urls: [],
  });
  expect(top(stage)).toBeUndefined();
});

test('a missing value is shown as an error and not sent', async () => {
  const stage = await startStage();
  const viewId = await open(stage);
  expect(await submit(stage, viewId, '')).toMatchObject({ result: 'refused' });
  expect(top(stage)?.errors).toEqual({ reason: 'Please complete this required field.' });
  await submit(stage, viewId, 'no');
  expect(top(stage)?.errors).toEqual({ reason: 'Please enter at least 3 characters.' });
  expect(stage.app.deliveries).toEqual([]);
});

test('errors from the app are shown at their field, which must exist', async () => {
  const stage = await startStage();
  const viewId = await open(stage);
  const answer = (errors: Record<string, string>) => {
    stage.app.reply = () => ({ status: 200, body: { response_action: 'errors', errors } });
  };
  answer({ reason: 'Say more.' });
  await submit(stage, viewId);
  expect(top(stage)).toMatchObject({ errors: { reason: 'Say more.' }, isSubmitting: false });
  answer({ elsewhere: 'Nobody reads this.' });
  await submit(stage, viewId);
  expect(top(stage)).toMatchObject({ errors: {}, trouble: expect.stringContaining('trouble') });
});

test('an acknowledgement can update, push or clear', async () => {
  const stage = await startStage();
  const answer = (body: unknown) => {
    stage.app.reply = () => ({ status: 200, body });
  };
  const viewId = await open(stage);
  answer({ response_action: 'update', view: modal([section, reason], { title: plain('Again') }) });
  await submit(stage, viewId);
  expect(top(stage)).toMatchObject({ viewId, title: 'Again' });

  answer({ response_action: 'push', view: modal([reason], { title: plain('On top') }) });
  await submit(stage, viewId);
  expect(stage.slack.snapshot(ANA).views.map((view) => view.title)).toEqual(['Again', 'On top']);

  answer({ response_action: 'update', view: modal([section], { title: plain('x'.repeat(25)) }) });
  await submit(stage, top(stage)?.viewId ?? '');
  expect(top(stage)).toMatchObject({ title: 'On top', trouble: expect.any(String) });

  answer({ response_action: 'clear' });
  await submit(stage, top(stage)?.viewId ?? '');
  expect(stage.slack.snapshot(ANA).views).toEqual([]);
});

test('a late or failing app leaves the form open with an error', async () => {
  const stage = await startStage(undefined, shortAckTimeout);
  const viewId = await open(stage);
  stage.app.reply = () => 'never';
  expect(await submit(stage, viewId)).toEqual({ result: 'operation_timeout' });
  expect(top(stage)).toMatchObject({ trouble: expect.any(String), isSubmitting: false });
  stage.app.reply = () => ({ status: 500 });
  expect(await submit(stage, viewId)).toEqual({ result: 'dispatch_failed' });
});

test('a form that is being submitted can’t be submitted again', async () => {
  const stage = await startStage();
  const viewId = await open(stage);
  const [first, second] = await Promise.all([submit(stage, viewId), submit(stage, viewId)]);
  expect(first).toEqual({ result: 'ok' });
  expect(second).toMatchObject({ result: 'refused' });
  expect(stage.app.deliveries).toHaveLength(1);
});

test('a value that the form does not offer is not sent', async () => {
  const stage = await startStage();
  const select = { type: 'static_select' as const, action_id: 'x', options: [option('a')] };
  const viewId = await open(stage, modal([input('one', select)]));
  for (const values of [{ one: { x: 'z' } }, { two: { x: 'a' } }, { one: { x: ['a'] } }]) {
    const outcome = await stage.slack.perform(ANA, { type: 'submit', viewId, values });
    expect(outcome).toMatchObject({ result: 'refused' });
  }
  expect(stage.app.deliveries).toEqual([]);
});

test('a users menu offers active people, and accepts its initial value', async () => {
  const stage = await startStage();
  const who = { type: 'users_select' as const, action_id: 'x' };
  const view = modal([input('before', { ...who, initial_user: DEE }), input('now', who)]);
  const viewId = await open(stage, view);
  const choose = (id: string) =>
    stage.slack.perform(ANA, {
      type: 'submit',
      viewId,
      values: { before: { x: DEE }, now: { x: id } },
    });
  expect(await choose(DEE)).toMatchObject({ result: 'refused' });
  expect(await choose(BEN)).toEqual({ result: 'ok' });
});

test('a conversations menu offers the kinds in its filter', async () => {
  const stage = await startStage();
  const where = {
    type: 'conversations_select' as const,
    action_id: 'x',
    filter: { include: ['public' as const] },
  };
  const viewId = await open(stage, modal([input('where', where)]));
  const choose = (id: string) =>
    stage.slack.perform(ANA, { type: 'submit', viewId, values: { where: { x: id } } });
  expect(await choose(directChannelId(ANA))).toMatchObject({ result: 'refused' });
  expect(await choose(OPS)).toEqual({ result: 'ok' });
  expect(stage.app.deliveries[0]?.payload).toMatchObject({
    view: { state: { values: { where: { x: { selected_conversation: OPS } } } } },
  });
});
