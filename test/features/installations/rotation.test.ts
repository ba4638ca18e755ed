import { expect, it, vi } from 'vitest';
import { misusedTokens } from '../../../playground/slack/installations/misuses.ts';
import { serveAll } from '../../../src/database/served-teams.ts';
import { checkInstallation } from '../../../src/features/doctor/checks/check-installation.ts';
import { readBacklog } from '../../../src/features/doctor/read-backlog.ts';
import { createMetrics } from '../../../src/health/metrics.ts';
import { enqueueMessages } from '../../../src/postings/outbox/enqueue.ts';
import { MIA, OLGA, PAUL, ROSA } from '../../playground/slack/installations/several.ts';
import { patienceMs } from '../../support/patience.ts';
import { type OAuthWorld, openBrowser, startOAuthWorld } from './oauth-world.ts';

const hour = 3600_000;
/** Tokens live for 12 hours, and are refreshed in the last 3. */
const untilDue = 10 * hour;
const untilExpired = 13 * hour;

const readRow = ({ db }: OAuthWorld) =>
  db
    .selectFrom('installation')
    .selectAll()
    .where('team_id', '=', 'T0W0000020')
    .executeTakeFirstOrThrow();

/** Waits until an attempt to refresh has failed and the next one is postponed. */
const seePostponed = (world: OAuthWorld) =>
  vi.waitFor(async () => expect((await readRow(world)).refresh_after).not.toBeNull(), patienceMs);

/** Belay was installed in the second workspace so long ago. */
async function startInstalled(agoMs: number) {
  const world = await startOAuthWorld({ rotatesTokens: true, startsMsAgo: agoMs });
  await openBrowser(world).install(world.second.teamId, OLGA);
  await world.person(OLGA, world.second).seeMessage('Belay is installed.');
  return world;
}

it('refreshes a token hours before it expires, stores the new pair and uses it', async () => {
  const world = await startInstalled(untilDue);
  const { slack, second, person, wait, logged } = world;
  wait(untilDue);
  await vi.waitFor(async () => expect((await readRow(world)).version).toBe(2), patienceMs);
  const row = await readRow(world);
  expect(row).toMatchObject({ state: 'active', refresh_attempts: 0, lease_holder: null });
  expect(slack.refreshes).toMatchObject([{ attempt: 1, result: 'rotated' }]);
  await person(MIA, second).send('ops', '/belay help');
  await person(MIA, second).seeMessage('/belay alerts');
  const [installed, used] = [slack.calls.find(({ caller }) => caller), slack.calls.at(-1)];
  expect(used?.caller?.tokenId).not.toBe(installed?.caller?.tokenId);
  expect(misusedTokens(slack.calls)).toEqual([]);
  expect(`${JSON.stringify(row)}${logged.join('')}`).not.toContain('xoxe');
});

it('refreshes an expired token once for all calls that need it', async () => {
  const world = await startInstalled(untilExpired);
  const { slack, second, person, wait } = world;
  slack.failNext('oauth.v2.access', { retryAfterSeconds: 3 * 3600 }, second.teamId);
  wait(untilDue);
  await seePostponed(world);
  wait(untilExpired - untilDue);
  const mia = person(MIA, second);
  await Promise.all(['help', 'help', 'help'].map((text) => mia.send('ops', `/belay ${text}`)));
  await mia.seeMessage('/belay alerts');
  expect(slack.refreshes).toHaveLength(1);
  // The check whether Belay is still installed, every 6 hours, may be late.
  expect(misusedTokens(slack.calls.filter(({ method }) => method !== 'auth.test'))).toEqual([]);
});

it.each([
  ['a server error', { status: 500 }],
  ['a rate limit', { retryAfterSeconds: 1 }],
  ['an error of the app', 'bad_client_secret'],
])('keeps the installation over %s, and tries again', async (_, fault) => {
  const world = await startInstalled(untilDue + 60_000);
  const { slack, second, wait } = world;
  slack.failNext('oauth.v2.access', fault, second.teamId);
  wait(untilDue);
  await seePostponed(world);
  expect(await readRow(world)).toMatchObject({ state: 'active', lease_holder: null });
  wait(60_000);
  await vi.waitFor(async () => expect((await readRow(world)).version).toBe(2), patienceMs);
  expect(slack.refreshes).toMatchObject([{ attempt: 1, result: 'rotated' }]);
});

it('retries after a lost answer, and asks the installer to install again when that is refused', async () => {
  const world = await startInstalled(untilDue + 60_000);
  const { slack, second, person, wait, logged, publicUrl, db } = world;
  slack.failNext('oauth.v2.access', { isAnswerLost: true }, second.teamId);
  wait(untilDue);
  await seePostponed(world);
  expect(await readRow(world)).toMatchObject({ state: 'active', refresh_attempts: 1 });
  wait(60_000);
  const message = await person(OLGA, second).seeMessage('Belay needs to be installed again.');
  expect(slack.refreshes).toMatchObject([
    { attempt: 1, result: 'rotated' },
    { attempt: 2, result: 'invalid_refresh_token' },
  ]);
  expect(message.text).toContain(`<${publicUrl}/slack/install|install Belay again>`);
  const [, reference = 'none'] = /Reference ([0-9a-f]{8})/.exec(message.text) ?? [];
  const line = logged.find((one) => one.includes('Slack refused the refresh token'));
  expect(line).toContain(reference);
  expect(JSON.parse(line ?? '{}')).toMatchObject({ isAnswerLost: true, attempt: 2 });
  await vi.waitFor(
    async () => expect((await readRow(world)).reported_at).not.toBeNull(),
    patienceMs,
  );
  expect(await readRow(world)).toMatchObject({
    state: 'reinstall_needed',
    refused_code: 'invalid_refresh_token',
    bot_token_sealed: null,
    refresh_token_sealed: null,
  });

  // People are answered without a token.
  const calls = slack.calls.length;
  await person(MIA, second).send('ops', '/belay help');
  const answer = await person(MIA, second).seeMessage('Belay needs to be installed again');
  expect(answer.text).toContain(`${publicUrl}/slack/install`);
  const view = { id: 'V1', callback_id: 'alerts.filter', private_metadata: '{}' };
  const submitted = await slack.deliver('interactive', {
    type: 'view_submission',
    team: { id: second.teamId },
    user: { id: MIA, team_id: second.teamId },
    view: { ...view, state: { values: {} } },
  });
  expect(JSON.stringify(submitted)).toContain('Belay needs to be installed again');
  expect(slack.calls.length).toBe(calls);

  await openBrowser(world).install(second.teamId, MIA);
  await person(MIA, second).send('ops', '/belay help');
  await person(MIA, second).seeMessage('/belay alerts');
  const rows = await db.selectFrom('installation').selectAll().execute();
  expect(rows).toMatchObject([
    { state: 'active', refused_code: null, reported_at: null, refresh_attempts: 0 },
  ]);
});

it('stops the background work of that workspace only', async () => {
  const world = await startInstalled(untilDue);
  const { slack, second, third, person, wait, db } = world;
  slack.failNext('oauth.v2.access', 'token_revoked', second.teamId);
  slack.failNext('chat.postMessage', 'token_revoked', second.teamId);
  await openBrowser(world).install(third.teamId, ROSA);
  await person(ROSA, third).seeMessage('Belay is installed.');
  wait(untilDue);
  await vi.waitFor(
    async () => expect((await readRow(world)).reported_at).not.toBeNull(),
    patienceMs,
  );
  for (const { teamId, channels } of [second, third]) {
    const to = { teamId, channelId: channels[0]?.channelId ?? '', ownerSlackUserId: 'U1' };
    const outgoing = [{ subject: 'a', message: { text: `Disk full in ${teamId}` } }];
    await db.transaction().execute((trx) => enqueueMessages(trx, to, outgoing, new Date()));
  }
  await person(PAUL, third).seeMessage(`Disk full in ${third.teamId}`);
  const waiting = db.selectFrom('delivery_message').select('team_id').where('state', '=', 'queued');
  await vi.waitFor(async () => {
    expect(await waiting.execute()).toEqual([{ team_id: second.teamId }]);
  }, patienceMs);
});

it('finds out that it was uninstalled, without an event, and has the data deleted', async () => {
  const world = await startOAuthWorld({ rotatesTokens: true, startsMsAgo: untilDue + hour });
  const { slack, first, second, person, wait, db } = world;
  first.app.events = [];
  await openBrowser(world).install(second.teamId, OLGA);
  await person(OLGA, second).seeMessage('Belay is installed.');
  await slack.uninstall(second.teamId);
  wait(untilDue);
  await vi.waitFor(async () => {
    expect(await readRow(world)).toMatchObject({
      refused_code: 'invalid_refresh_token',
      reported_at: expect.any(Date),
      token_refused_since: expect.any(Date),
    });
  }, patienceMs);
  wait(hour);
  await vi.waitFor(async () => {
    const rows = await db.selectFrom('installation').select('state').execute();
    expect(rows).not.toMatchObject([{ state: 'reinstall_needed' }]);
  }, patienceMs);
});

it('shows in the doctor and the metrics what must be installed again', async () => {
  const world = await startInstalled(untilDue);
  const { slack, second, third, wait, db } = world;
  slack.failNext('oauth.v2.access', 'invalid_refresh_token', second.teamId);
  wait(untilDue);
  await vi.waitFor(
    async () => expect((await readRow(world)).state).toBe('reinstall_needed'),
    patienceMs,
  );
  const own = await checkInstallation({
    db,
    teamId: second.teamId,
    isOperator: false,
    now: new Date(),
  });
  expect(own).toMatchObject([
    { severity: 'problem', remedy: expect.stringContaining('/slack/install') },
  ]);
  expect(own[0]?.text).toContain('invalid_refresh_token');
  const others = { db, teamId: third.teamId, now: new Date() };
  expect(await checkInstallation({ ...others, isOperator: false })).toEqual([]);
  const [finding] = await checkInstallation({ ...others, isOperator: true });
  expect(finding?.severity).toBe('warning');
  expect(finding?.text).toContain(second.teamId);
  const metrics = createMetrics({ version: '1' });
  const text = await metrics.render(await readBacklog(db, new Date(), serveAll), new Date());
  expect(text).toContain('belay_installations{state="reinstall_needed"} 1');
});

it('warns in the doctor while a token cannot be refreshed', async () => {
  const world = await startInstalled(untilExpired);
  const { slack, second, wait, db } = world;
  slack.failNext('oauth.v2.access', { retryAfterSeconds: 9 * 3600 }, second.teamId);
  wait(untilDue);
  await seePostponed(world);
  const check = (hours: number) => {
    const now = new Date(Date.now() - untilExpired + hours * hour);
    return checkInstallation({ db, teamId: second.teamId, isOperator: false, now });
  };
  expect(await check(9.5)).toEqual([]);
  expect(await check(11)).toMatchObject([{ severity: 'warning' }]);
  expect(await check(12.5)).toMatchObject([{ severity: 'problem' }]);
  const { oldestDueAt } = await readBacklog(db, new Date(), serveAll);
  expect(oldestDueAt.token).toBeInstanceOf(Date);
});
