import { expect, test } from 'vitest';
import { actions, button, input, modal, option, plain } from './sample-blocks.ts';
import { ANA, BEN, DEE, OPS, SAM, type Stage, seen, shortAckTimeout, startStage } from './stage.ts';

const confirm = {
  title: plain('Sure?'),
  text: plain('It is done at once.'),
  confirm: plain('Approve'),
  deny: plain('Back'),
};

const post = async (stage: Stage, ...blocks: Parameters<typeof modal>[0]) => {
  const { ts = '' } = await stage.client.chat.postMessage({ channel: OPS, text: 'Decide', blocks });
  return { kind: 'message' as const, channelId: OPS, messageTs: ts };
};

const press = { type: 'act' as const, blockId: 'decision', actionId: 'approve' };

test('a button in a message is delivered as in Slack', async () => {
  const stage = await startStage();
  const container = await post(stage, actions('decision', button('approve', { value: '7' })));
  expect(await stage.slack.perform(BEN, { ...press, container })).toEqual({ result: 'ok' });
  expect(stage.app.deliveries[0]?.payload).toMatchObject({
    type: 'block_actions',
    user: { id: BEN, name: 'ben', team_id: stage.workspace.teamId },
    team: { id: stage.workspace.teamId },
    container: { type: 'message', channel_id: OPS, is_ephemeral: false },
    channel: { id: OPS, name: 'ops' },
    message: { ts: container.messageTs, text: 'Decide', blocks: [{ block_id: 'decision' }] },
    trigger_id: expect.any(String),
    response_url: expect.stringContaining(stage.slack.url),
    actions: [{ action_id: 'approve', block_id: 'decision', type: 'button', value: '7' }],
  });
});

test('a late click on an element of an earlier version is delivered as the client had it', async () => {
  const stage = await startStage();
  const container = await post(stage, actions('decision', button('approve', { value: '7' })));
  const edit = { channel: OPS, ts: container.messageTs, text: 'Decided' };
  const next = [actions('decision', button('approve', { value: '8' }))];
  await stage.client.chat.update({ ...edit, blocks: next });
  await stage.client.chat.update({ ...edit, blocks: [] });

  const clicks = [{}, { value: '7' }, { value: '8' }, { value: '9' }, { actionId: 'other' }];
  const outcomes = [];
  for (const click of clicks) {
    outcomes.push(await stage.slack.perform(BEN, { ...press, container, ...click }));
  }
  expect(outcomes.map(({ result }) => result)).toEqual(['ok', 'ok', 'ok', 'refused', 'refused']);
  const values = stage.app.deliveries.map(({ payload }) => payload.actions);
  expect(values).toMatchObject([[{ value: '8' }], [{ value: '7' }], [{ value: '8' }]]);
  // Slack includes the message as it is by then.
  expect(stage.app.deliveries[0]?.payload.message).toMatchObject({ text: 'Decided' });
});

test('an element with a confirm dialog is refused without confirmation', async () => {
  const stage = await startStage();
  const container = await post(stage, actions('decision', button('approve', { confirm })));
  expect(await stage.slack.perform(BEN, { ...press, container })).toMatchObject({
    result: 'refused',
  });
  expect(stage.app.deliveries).toEqual([]);
  expect(await stage.slack.perform(BEN, { ...press, container, confirmed: true })).toEqual({
    result: 'ok',
  });
});

test('an action in a modal contains the view and its state', async () => {
  const stage = await startStage();
  const { trigger_id } = await stage.command(ANA);
  const blocks = [
    input('name', { type: 'plain_text_input', action_id: 'text', initial_value: 'before' }),
    actions('decision', button('approve')),
  ];
  const { view } = await stage.client.views.open({ trigger_id, view: modal(blocks) });
  const viewId = view?.id ?? '';
  await stage.slack.perform(ANA, { ...press, container: { kind: 'view', viewId } });
  const payload = stage.app.deliveries.at(-1)?.payload;
  expect(payload).toMatchObject({
    container: { type: 'view', view_id: viewId },
    view: { id: viewId, state: { values: { name: { text: { value: 'before' } } } } },
  });
  expect(payload).not.toHaveProperty('message');
  expect(payload).not.toHaveProperty('response_url');
});

test('a choice is delivered as the whole option', async () => {
  const stage = await startStage();
  const menu = {
    type: 'overflow' as const,
    action_id: 'menu',
    options: [option('rename'), option('delete')],
  };
  const container = await post(stage, {
    type: 'section',
    block_id: 'card',
    text: plain('A user'),
    accessory: menu,
  });
  const choose = { type: 'act' as const, container, blockId: 'card', actionId: 'menu' };
  await stage.slack.perform(ANA, { ...choose, value: 'delete' });
  expect(stage.app.deliveries[0]?.payload).toMatchObject({
    actions: [{ type: 'overflow', selected_option: option('delete') }],
  });
  expect(await stage.slack.perform(ANA, { ...choose, value: 'promote' })).toMatchObject({
    result: 'refused',
  });
});

test("people can't use elements that they don't see", async () => {
  const stage = await startStage();
  const blocks = [actions('decision', button('approve'))];
  await stage.client.chat.postEphemeral({ channel: OPS, user: ANA, text: 'x', blocks });
  const messageTs = seen(stage, ANA)[0]?.messageTs ?? '';
  const container = { kind: 'message' as const, channelId: OPS, messageTs };
  const attempts = [
    stage.slack.perform(BEN, { ...press, container }),
    stage.slack.perform(ANA, { ...press, actionId: 'other', container }),
    stage.slack.perform(ANA, { ...press, container: { kind: 'view', viewId: 'V1' } }),
    stage.slack.perform(DEE, { ...press, container }),
    stage.slack.perform('U0NOBODY', { ...press, container }),
  ];
  for (const outcome of await Promise.all(attempts)) {
    expect(outcome).toMatchObject({ result: 'refused' });
  }
  expect(stage.app.deliveries).toEqual([]);

  await stage.slack.perform(ANA, { ...press, container });
  const payload = stage.app.deliveries[0]?.payload;
  expect(payload).toMatchObject({ container: { is_ephemeral: true } });
  expect(payload).not.toHaveProperty('message');
});

test('a person of another workspace acts with their own team id', async () => {
  const stage = await startStage();
  const container = await post(stage, actions('decision', button('approve')));
  await stage.slack.perform(SAM, { ...press, container });
  expect(stage.app.deliveries[0]?.payload).toMatchObject({
    user: { id: SAM, team_id: 'T0PARTNER1' },
    team: { id: stage.workspace.teamId },
  });
});

test('late and failing answers of the app are reported', async () => {
  const stage = await startStage(undefined, shortAckTimeout);
  const container = await post(stage, actions('decision', button('approve')));
  stage.app.reply = () => 'never';
  expect(await stage.slack.perform(BEN, { ...press, container })).toEqual({
    result: 'operation_timeout',
  });
  stage.app.reply = () => ({ status: 404 });
  expect(await stage.slack.perform(BEN, { ...press, container })).toEqual({
    result: 'dispatch_failed',
  });
});
