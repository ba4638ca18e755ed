import { expect, test } from 'vitest';
import { actAs } from '../../../playground/act-as.ts';
import { ANA, BEN, DEE, type Stage, startStage } from './stage.ts';

const withHome = (workspace: Stage['workspace']) => {
  workspace.app.hasHomeTab = true;
  workspace.app.events = ['app_home_opened'];
};

const home = (text: string) => ({
  type: 'home' as const,
  private_metadata: '{"team":"T0HARBOR01"}',
  blocks: [
    { type: 'section' as const, text: { type: 'mrkdwn' as const, text } },
    {
      type: 'actions' as const,
      elements: [
        {
          type: 'button' as const,
          action_id: 'press',
          value: '1',
          text: { type: 'plain_text' as const, text: 'Press' },
        },
      ],
    },
  ],
});

test('a published view is shown on the Home tab of that person only', async () => {
  const { client, slack } = await startStage(withHome);
  expect(slack.snapshot(ANA).home).toEqual({});
  const { view } = await client.views.publish({ user_id: ANA, view: home('first') });
  expect(view).toMatchObject({ type: 'home', team_id: 'T0HARBOR01', previous_view_id: null });
  const again = await client.views.publish({ user_id: ANA, view: home('second') });
  expect(again.view?.id).toBe(view?.id);
  expect(again.view?.hash).not.toBe(view?.hash);
  expect(JSON.stringify(slack.snapshot(ANA).home)).toContain('second');
  expect(slack.snapshot(BEN).home).toEqual({});
});

test('opening the tab tells the app who sees which view, and a button there has no channel', async () => {
  const { client, slack, app } = await startStage(withHome);
  const ana = actAs(slack, ANA);
  expect(await ana.openHome()).toEqual({ result: 'ok' });
  const { view } = await client.views.publish({ user_id: ANA, view: home('Hello') });
  await ana.openHome();
  const events = app.deliveries.map(({ payload }) => payload.event);
  expect(events).toMatchObject([
    { type: 'app_home_opened', user: ANA, channel: 'D0ANA00001', tab: 'home' },
    { view: { id: view?.id, hash: view?.hash, type: 'home' } },
  ]);
  expect(events[0]).not.toHaveProperty('view');

  await ana.press(await ana.seeHome('Hello'), 'Press');
  const { payload } = app.deliveries.at(-1) ?? {};
  expect(payload).toMatchObject({
    type: 'block_actions',
    user: { id: ANA },
    trigger_id: expect.any(String),
    container: { type: 'view', view_id: view?.id },
    view: { type: 'home', private_metadata: '{"team":"T0HARBOR01"}' },
    actions: [{ action_id: 'press', value: '1' }],
  });
  for (const absent of ['channel', 'message', 'response_url']) {
    expect(payload).not.toHaveProperty(absent);
  }
});

test.each([
  ['a modal', ANA, { ...home('x'), type: 'modal' }, 'invalid_arguments'],
  [
    'too many blocks',
    ANA,
    { type: 'home', blocks: Array(101).fill({ type: 'divider' }) },
    'invalid_arguments',
  ],
  ['a view that is too large', ANA, home('x'.repeat(250_001)), 'view_too_large'],
  ['an unknown person', 'U0NOBODY', home('x'), 'user_not_found'],
  ['a deactivated person', DEE, home('x'), 'user_disabled'],
])('%s is refused', async (_, slackUserId, view, error) => {
  const { client } = await startStage(withHome);
  const published = client.apiCall('views.publish', { user_id: slackUserId, view });
  await expect(published).rejects.toMatchObject({ data: { error } });
});

test('a view with an outdated hash is refused', async () => {
  const { client } = await startStage(withHome);
  const publish = (hash?: string) =>
    client.views.publish({ user_id: ANA, view: home('x'), ...(hash ? { hash } : {}) });
  const { view: first } = await publish();
  await publish(first?.hash);
  await expect(publish(first?.hash)).rejects.toMatchObject({ data: { error: 'hash_conflict' } });
});

test('an app without a Home tab can neither publish nor be opened', async () => {
  const { client, slack } = await startStage();
  await expect(client.views.publish({ user_id: ANA, view: home('x') })).rejects.toMatchObject({
    data: { error: 'not_enabled' },
  });
  expect(await actAs(slack, ANA).openHome()).toMatchObject({ result: 'refused' });
  expect(slack.snapshot(ANA).home).toBeUndefined();
});

test('a workspace takes 100 views within a minute, and says when it takes the next', async () => {
  const { client, slack, wait } = await startStage(withHome);
  const publish = () => client.views.publish({ user_id: ANA, view: home('x') });
  for (let count = 0; count < 100; count += 1) {
    await publish();
    if (count === 0) wait(20_000);
  }
  const token = slack.calls.length;
  const response = await fetch(`${slack.apiUrl}views.publish`, {
    method: 'POST',
    headers: { authorization: `Bearer ${client.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ user_id: ANA, view: home('x') }),
  });
  expect([token, response.status, response.headers.get('retry-after')]).toEqual([100, 429, '40']);
  expect(await response.json()).toEqual({ ok: false, error: 'ratelimited' });
  wait(40_000);
  await publish();
});
