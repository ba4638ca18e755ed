import { expect, it, vi } from 'vitest';
import { people } from '../../../playground/people.ts';
import { misusedTokens } from '../../../playground/slack/installations/misuses.ts';
import { MIA, OLGA } from '../../playground/slack/installations/several.ts';
import { patienceMs } from '../../support/patience.ts';
import { type OAuthWorld, openBrowser, startOAuthWorld } from './oauth-world.ts';

const minute = 60_000;

/** Settings and a waiting message, and the two events of an uninstall not delivered by themselves. */
async function startInstalled({ events }: { events: boolean }): Promise<OAuthWorld> {
  const world = await startOAuthWorld();
  const { second, first, person, db } = world;
  if (!events) first.app.events = first.app.events.filter((event) => !isLifecycle(event));
  await openBrowser(world).install(second.teamId, OLGA);
  await openBrowser(world).install(first.teamId, people.cleo);
  for (const { teamId } of [first, second]) {
    await db
      .insertInto('workspace_settings')
      .values({ team_id: teamId, settings: '{"approvers":["U1"]}' })
      .execute();
  }
  await person(OLGA, second).seeMessage('Belay is installed.');
  return world;
}

const isLifecycle = (event: string) => ['app_uninstalled', 'tokens_revoked'].includes(event);

const settingsOf = ({ db }: OAuthWorld) =>
  db.selectFrom('workspace_settings').select('team_id').orderBy('team_id').execute();

const stateOf = ({ db }: OAuthWorld, teamId: string) =>
  db.selectFrom('installation').select(['state']).where('team_id', '=', teamId).execute();

const logOf = async ({ db }: OAuthWorld, teamId: string) => {
  const rows = await db
    .selectFrom('audit_log')
    .select(['event', 'actor'])
    .where('team_id', '=', teamId)
    .orderBy('seq')
    .execute();
  return rows.map(({ event, actor }) => `${event} ${actor ?? 'belay'}`);
};

/** Waits until the data of the second workspace is gone, and only that. */
async function seePurged(world: OAuthWorld): Promise<void> {
  const { first, second } = world;
  await vi.waitFor(async () => {
    expect(await settingsOf(world)).toEqual([{ team_id: first.teamId }]);
    expect(await stateOf(world, second.teamId)).not.toEqual([{ state: 'active' }]);
  }, patienceMs);
}

/** An event about the second workspace, as Slack sends it. */
function event(
  { slack, second, first }: OAuthWorld,
  type: string,
  { appId = first.app.appId, at = new Date(), tokens = {} } = {},
) {
  return slack.deliver('events_api', {
    type: 'event_callback',
    event_id: `Ev${Math.random()}`,
    api_app_id: appId,
    team_id: second.teamId,
    event_time: Math.floor(at.getTime() / 1000),
    event: { type, tokens },
  });
}

/** Resolves once Slack was asked about the token after `from` calls. */
const seeAsked = ({ slack }: OAuthWorld, from: number) =>
  vi.waitFor(() => {
    expect(slack.calls.slice(from).map(({ method }) => method)).toContain('auth.test');
  }, patienceMs);

it('deletes the data of the workspace that uninstalled it, and stops calling Slack', async () => {
  const world = await startInstalled({ events: true });
  const { slack, first, second, person, db, wait } = world;
  await slack.uninstall(second.teamId);
  await seePurged(world);
  const row = await db
    .selectFrom('installation')
    .selectAll()
    .where('team_id', '=', second.teamId)
    .executeTakeFirstOrThrow();
  expect(row).toMatchObject({ bot_token_sealed: null, refresh_token_sealed: null });
  // Only to confirm what Slack's events say.
  const misused = () => misusedTokens(slack.calls).map(({ method }) => method);
  expect([...new Set(misused())]).toEqual(['auth.test']);
  const asked = misused().length;

  wait(3 * minute);
  await vi.waitFor(async () => expect(await stateOf(world, second.teamId)).toEqual([]), patienceMs);
  expect(misused()).toHaveLength(asked);
  expect(await logOf(world, second.teamId)).toEqual([`installed ${OLGA}`, 'uninstalled belay']);
  expect(await logOf(world, first.teamId)).toEqual([`installed ${people.cleo}`]);
  await person(people.ana, first).send('ops', '/belay help');
  await person(people.ana, first).seeMessage('/belay alerts');
});

it('starts clean when it is installed again, and continues the audit log', async () => {
  const world = await startInstalled({ events: true });
  const { slack, second, person } = world;
  await slack.uninstall(second.teamId);
  await seePurged(world);
  const page = await openBrowser(world).install(second.teamId, MIA);
  expect(page.html).toContain('Belay is installed');
  await person(MIA, second).seeMessage('Belay is installed.');
  expect(await settingsOf(world)).toEqual([{ team_id: world.first.teamId }]);
  await person(OLGA, second).send('ops', '/belay audit');
  const list = await person(OLGA, second).seeMessage('uninstalled');
  expect(JSON.stringify(list)).toContain('*installed Belay* in this workspace');
  expect(await logOf(world, second.teamId)).toEqual([
    `installed ${OLGA}`,
    'uninstalled belay',
    `installed ${MIA}`,
  ]);
});

it('starts clean when it is installed again before Belay knew of the uninstall', async () => {
  const world = await startInstalled({ events: false });
  const { slack, second, person } = world;
  await slack.uninstall(second.teamId);
  await openBrowser(world).install(second.teamId, MIA);
  expect(await settingsOf(world)).toEqual([{ team_id: world.first.teamId }]);
  await person(MIA, second).seeMessage('Belay is installed.');
  expect(await logOf(world, second.teamId)).toEqual([
    `installed ${OLGA}`,
    'uninstalled belay',
    `installed ${MIA}`,
  ]);
});

it.each(['app_uninstalled', 'tokens_revoked'])(
  'keeps a new installation when %s of the earlier one arrives late',
  async (type) => {
    const world = await startInstalled({ events: false });
    const { slack, second, db } = world;
    const sentAt = new Date(Date.now() - minute);
    const from = slack.calls.length;
    const delivered = await event(world, type, {
      at: type === 'app_uninstalled' ? new Date() : sentAt,
      tokens: { bot: [second.app.botUserId] },
    });
    expect(delivered.kind).toBe('acked');
    await seeAsked(world, from);
    await vi.waitFor(async () => {
      const rows = await db
        .selectFrom('installation')
        .select(['state', 'uninstall_reported_at'])
        .where('team_id', '=', second.teamId)
        .execute();
      expect(rows).toEqual([{ state: 'active', uninstall_reported_at: null }]);
    }, patienceMs);
    expect(await settingsOf(world)).toHaveLength(2);
  },
);

it('ignores the events of another app, and tokens of people', async () => {
  const world = await startInstalled({ events: false });
  const { slack, second, db } = world;
  await slack.uninstall(second.teamId);
  await event(world, 'app_uninstalled', { appId: 'A0OTHER' });
  await event(world, 'tokens_revoked', { tokens: { oauth: [MIA] } });
  const row = await db
    .selectFrom('installation')
    .select(['state', 'uninstall_reported_at', 'check_at'])
    .where('team_id', '=', second.teamId)
    .executeTakeFirstOrThrow();
  expect(row).toMatchObject({ state: 'active', uninstall_reported_at: null });
  expect(row.check_at.getTime()).toBeGreaterThan(Date.now() + minute);
});

it('finds an uninstall that Slack never reported, and deletes only after a second refusal', async () => {
  const world = await startInstalled({ events: false });
  const { slack, second, wait, db } = world;
  await slack.uninstall(second.teamId);
  wait(61 * minute);
  const refused = () =>
    db
      .selectFrom('installation')
      .select('token_refused_since')
      .where('team_id', '=', second.teamId)
      .executeTakeFirst();
  await vi.waitFor(
    async () => expect(await refused()).toMatchObject({ token_refused_since: expect.any(Date) }),
    patienceMs,
  );
  expect(await settingsOf(world)).toHaveLength(2);
  wait(11 * minute);
  await seePurged(world);
  const asked = misusedTokens(slack.calls).map(({ method }) => method);
  // Until the second refusal the workspace is served, so a message may be tried again in between.
  expect(asked.filter((method) => method === 'auth.test')).toHaveLength(2);
  expect(asked.at(-1)).toBe('auth.test');
});

it('asks Slack about a token that a call was refused with, once', async () => {
  const world = await startInstalled({ events: false });
  const { slack, second, person, db, wait } = world;
  for (let call = 0; call < 3; call += 1) {
    slack.failNext('users.info', 'invalid_auth', second.teamId);
    await person(MIA, second).send('ops', '/belay help');
    await person(MIA, second).seeMessage('Reference');
  }
  await seeAsked(world, 0);
  wait(1);
  const asked = slack.calls.filter(({ method }) => method === 'auth.test');
  expect(asked).toHaveLength(1);
  expect(await settingsOf(world)).toHaveLength(2);
  expect(await stateOf(world, second.teamId)).toEqual([{ state: 'active' }]);
  expect(await db.selectFrom('installation').select('token_refused_since').execute()).toEqual([
    { token_refused_since: null },
    { token_refused_since: null },
  ]);
});

it('deletes nothing while Slack does not answer, and asks again', async () => {
  const world = await startInstalled({ events: true });
  const { slack, second, wait } = world;
  for (let call = 0; call < 2; call += 1) slack.failNext('auth.test', { status: 503 });
  const from = slack.calls.length;
  await slack.uninstall(second.teamId);
  await seeAsked(world, from);
  expect(await settingsOf(world)).toHaveLength(2);
  await vi.waitFor(async () => {
    wait(2 * minute);
    expect(await stateOf(world, second.teamId)).not.toEqual([{ state: 'active' }]);
  }, patienceMs);
  await seePurged(world);
});
