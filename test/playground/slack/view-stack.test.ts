import { expect, test } from 'vitest';
import { button, input, modal, plain } from './sample-blocks.ts';
import { ANA, BEN, type Stage, startStage } from './stage.ts';

const section = { type: 'section' as const, text: plain('Hello') };
const more = { ...section, block_id: 'more', accessory: button('push') };

const pushFrom = async (stage: Stage, viewId: string) => {
  const container = { kind: 'view' as const, viewId };
  await stage.slack.perform(ANA, { type: 'act', container, blockId: 'more', actionId: 'push' });
  const trigger_id = String(stage.app.deliveries.at(-1)?.payload.trigger_id);
  return stage.client.views.push({ trigger_id, view: modal([more]) });
};

test('each person has a separate stack of at most three modals', async () => {
  const stage = await startStage();
  const { trigger_id } = await stage.command(ANA);
  const first = await stage.client.views.open({ trigger_id, view: modal([more]) });
  const bens = await stage.command(BEN);
  await stage.client.views.open({ ...bens, view: modal([section]) });

  const second = await pushFrom(stage, first.view?.id ?? '');
  const third = await pushFrom(stage, second.view?.id ?? '');
  expect(third.view).toMatchObject({
    root_view_id: first.view?.id,
    previous_view_id: second.view?.id,
  });
  await expect(pushFrom(stage, third.view?.id ?? '')).rejects.toMatchObject({
    data: { error: 'push_limit_reached' },
  });
  expect(stage.slack.snapshot(ANA).views).toHaveLength(3);
  expect(stage.slack.snapshot(BEN).views).toHaveLength(1);
});

test('only the top view can be used', async () => {
  const stage = await startStage();
  const { trigger_id } = await stage.command(ANA);
  const first = await stage.client.views.open({ trigger_id, view: modal([more]) });
  await pushFrom(stage, first.view?.id ?? '');
  const submit = { type: 'submit' as const, viewId: first.view?.id ?? '', values: {} };
  expect(await stage.slack.perform(ANA, submit)).toMatchObject({ result: 'refused' });
});

test('an update preserves typed values, changes the hash and rejects an old hash', async () => {
  const stage = await startStage();
  const { trigger_id } = await stage.command(ANA);
  const name = input('name', { type: 'plain_text_input', action_id: 'text' });
  const refresh = { ...section, block_id: 'tools', accessory: button('refresh') };
  const opened = await stage.client.views.open({ trigger_id, view: modal([name, refresh]) });
  const viewId = opened.view?.id ?? '';
  await stage.slack.perform(ANA, {
    type: 'act',
    container: { kind: 'view', viewId },
    blockId: 'tools',
    actionId: 'refresh',
    values: { name: { text: 'typed' } },
  });
  const hash = opened.view?.hash ?? '';
  const updated = await stage.client.views.update({
    view_id: viewId,
    hash,
    view: modal([section, name]),
  });
  expect(updated.view?.state).toMatchObject({ values: { name: { text: { value: 'typed' } } } });
  await expect(
    stage.client.views.update({ view_id: viewId, hash, view: modal([section]) }),
  ).rejects.toMatchObject({ data: { error: 'hash_conflict' } });
  await expect(
    stage.client.views.update({ view_id: 'V0', view: modal([section]) }),
  ).rejects.toMatchObject({ data: { error: 'not_found' } });
});

test('closing sends view_closed only with notify_on_close, and marks a cleared stack', async () => {
  const stage = await startStage();
  const open = async (view: ReturnType<typeof modal>) => {
    const { trigger_id } = await stage.command(ANA);
    const opened = await stage.client.views.open({ trigger_id, view });
    stage.app.deliveries.length = 0;
    return opened.view?.id ?? '';
  };
  const quiet = await open(modal([section]));
  await stage.slack.perform(ANA, { type: 'close', viewId: quiet });
  expect(stage.app.deliveries).toEqual([]);

  const viewId = await open(modal([section], { notify_on_close: true }));
  await stage.slack.perform(ANA, { type: 'close', viewId, all: true });
  expect(stage.app.deliveries[0]?.payload).toMatchObject({
    type: 'view_closed',
    is_cleared: true,
    view: { id: viewId },
  });
  expect(stage.slack.snapshot(ANA).views).toEqual([]);
});
