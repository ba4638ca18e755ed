import { randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { sql } from 'kysely';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createWorkspace } from '../../../playground/slack/workspace.ts';
import { serveAll, serveOnly } from '../../../src/database/served-teams.ts';
import type { Database } from '../../../src/database/tables.ts';
import { createComplianceSamples } from '../../../src/features/compliance/store/compliance-samples.ts';
import { createObservationStore } from '../../../src/features/policy-watches/store/observation-store.ts';
import { createComplianceWatchStore } from '../../../src/features/watches/store/compliance-watch-store.ts';
import { enqueueMessages } from '../../../src/postings/outbox/enqueue.ts';
import { createTokenCipher } from '../../../src/workspace/store/token-cipher.ts';
import { createWorkspaceStore } from '../../../src/workspace/store/workspace-store.ts';
import {
  insertConnection,
  logKeys,
  newApproval,
  noon,
  openApprovalStore,
  readOrigin,
} from '../../requests/store/rows.ts';
import { openAnyDatabase } from '../../support/databases.ts';
import { patienceMs } from '../../support/patience.ts';
import { serve } from '../../support/serve.ts';
import { shareWorld, startWorld } from '../../support/world.ts';
import { newDigest, openDigestStore, upToThree } from '../digests/store/digest-rows.ts';

const { teamId: ownTeamId } = createWorkspace();
const otherTeamId = 'T0OTHER001';
/** A channel in which Belay can't post, so that everything that posts there is paused. */
const lostChannel = 'C0LOST0001';

/** Work of every kind that is due for a team. */
async function insertDueWork(db: Database, teamId: string, encryptionKey: Buffer): Promise<void> {
  const connectionId =
    (
      await db
        .selectFrom('connection')
        .select('id')
        .where('team_id', '=', teamId)
        .executeTakeFirst()
    )?.id ?? (await insertConnection(db, teamId));
  const channel = {
    team_id: teamId,
    channel_id: 'C0OPS00001',
    connection_origin_id: await readOrigin(db, teamId),
  };
  const created = { created_by: 'U0ANA00001', created_at: noon };
  await db
    .insertInto('watch')
    .values({ ...channel, ...created, id: randomUUID(), connection_id: connectionId, search: '{}' })
    .execute();
  await db
    .insertInto('compliance_watch')
    .values({
      ...channel,
      ...created,
      id: randomUUID(),
      policy_id: 'p-1',
      policy_name: 'Gold',
      max_count: 0,
      is_above: false,
      next_read_at: noon,
    })
    .execute();
  await db
    .insertInto('policy_watch')
    .values({ ...channel, ...created, id: randomUUID() })
    .execute();
  const digest = newDigest({ teamId, channelId: lostChannel });
  await openDigestStore(db).store.create(digest, upToThree);
  await openApprovalStore(db).store.create(await newApproval(db, { teamId, connectionId }));
  const store = createWorkspaceStore(db, createTokenCipher([encryptionKey]), {
    append: async () => undefined,
    isServed: serveAll,
    onConnectionReplaced: async () => [],
    onConnectionRemoved: async () => undefined,
    onSetupSaved: async () => [],
    onApproversChanged: async () => undefined,
    onConnectionsChanged: async () => undefined,
  });
  const by = { actor: undefined, personal: {} };
  await store.saveByOperator({ teamId, approvers: ['U0BEN00002'], at: noon, by });
  const to = { teamId, channelId: lostChannel, ownerSlackUserId: 'U0ANA00001' };
  const outgoing = [{ subject: 'a', message: { text: 'Disk full' } }];
  await db.transaction().execute((trx) => enqueueMessages(trx, to, outgoing, noon));
}

/** Every row of the team, by table. */
async function rowsOf(db: Database, teamId: string): Promise<Record<string, unknown[]>> {
  const tables = await sql<{ name: string }>`
    select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'team_id' order by table_name`.execute(db);
  const all: Record<string, unknown[]> = {};
  for (const { name } of tables.rows) {
    const { rows } = await sql<{ row: unknown }>`
      select to_jsonb(t) as row from ${sql.table(name)} t
      where team_id = ${teamId} order by to_jsonb(t)::text`.execute(db);
    all[name] = rows.map(({ row }) => row);
  }
  return all;
}

it('leaves the rows of another workspace as they are', async () => {
  const opened = await openAnyDatabase();
  onTestFinished(opened.close);
  const openDatabase = async () => ({ ...opened, close: async () => undefined });
  const [key = Buffer.alloc(32)] = logKeys;
  const env = { BELAY_ENCRYPTION_KEYS: key.toString('base64') };
  const first = await startWorld({ openDatabase, env });
  await first.stop();
  const { db } = opened;
  for (const teamId of [ownTeamId, otherTeamId]) await insertDueWork(db, teamId, key);
  const before = await rowsOf(db, otherTeamId);
  expect(Object.values(before).flat()).not.toEqual([]);

  const { belay, logged } = await startWorld({ openDatabase, env, isSetUp: false });
  await belay.sweep();
  // Changes in its own workspace show that the work has run.
  await vi.waitFor(async () => {
    const own = await rowsOf(db, ownTeamId);
    expect(own.approval).toMatchObject([{ state: 'voided' }]);
    expect(own.digest).toMatchObject([{ paused_at: expect.any(String) }]);
    expect(own.setup_change).toMatchObject([{ announce_at: null }]);
    expect(own.alert_poll).toHaveLength(1);
  }, patienceMs);
  await belay.stop();
  // Work that runs once a minute, or less often.
  const isServed = serveOnly(ownTeamId);
  const lease = { holder: 'h', at: new Date(), until: new Date(Date.now() + 60_000) };
  const { at: now, until: leaseUntil } = lease;
  const observations = createObservationStore(db, {
    enqueueMessages,
    isServed,
    isReported: sql<boolean>`true`,
  });
  const claims = [
    () => createComplianceSamples(db, isServed).claim({ now, leaseUntil }),
    async () => {
      await observations.prepare({ at: now, intervalMs: 900_000 });
      return (await observations.leaseDue(lease, 10))[0];
    },
    () => createComplianceWatchStore(db, { enqueueMessages, isServed }).claimDue(lease),
  ];
  for (const claim of claims) {
    expect(await claim()).toMatchObject({ teamId: ownTeamId });
    expect(await claim()).toBeUndefined();
  }
  expect(await rowsOf(db, otherTeamId)).toEqual(before);
  expect(logged.filter((line) => line.includes('another workspace'))).toHaveLength(1);
});

const world = shareWorld();

it('answers a command of another workspace without a call to Slack', async () => {
  const { slack } = world();
  const answered = Promise.withResolvers<string>();
  const responseUrl = await serve(async (request, response) => {
    answered.resolve(await text(request));
    response.end('ok');
  });
  const calls = slack.calls.length;
  const delivered = await slack.deliver('slash_commands', {
    command: '/belay',
    text: 'help',
    team_id: otherTeamId,
    team_domain: 'other',
    channel_id: 'C1',
    user_id: 'U0ANA00001',
    trigger_id: '1.2',
    response_url: responseUrl,
  });
  expect(delivered.kind).toBe('acked');
  expect(await answered.promise).toContain("Belay isn't installed in this workspace.");
  expect(slack.calls.length).toBe(calls);
});

it('ignores a form, a click and a message of another workspace', async () => {
  const { slack, ana, logged } = world();
  const calls = slack.calls.length;
  const from = { team: { id: otherTeamId }, user: { id: 'U0ANA00001', team_id: otherTeamId } };
  const view = { id: 'V1', callback_id: 'help', private_metadata: '', state: { values: {} } };
  const event = {
    type: 'message',
    channel_type: 'im',
    user: 'U0ANA00001',
    channel: 'D1',
    text: 'a',
  };
  const action = { type: 'button', action_id: 'help', block_id: 'b', value: '1' };
  const click = { type: 'block_actions', actions: [action], view, trigger_id: '1.2' };
  await slack.deliver('interactive', { ...from, ...click });
  await slack.deliver('interactive', { ...from, type: 'view_submission', view });
  await slack.deliver('events_api', {
    type: 'event_callback',
    event_id: 'Ev1',
    team_id: otherTeamId,
    event,
  });
  // Belay answers messages after it acknowledged them, in the order in which they came.
  await ana.send('Belay', 'hello');
  await ana.seeMessage('What Belay can do');
  const made = slack.calls.slice(calls).map(({ method }) => method);
  expect(made).toEqual(['users.info', 'chat.postMessage']);
  expect(logged.filter((line) => line.includes('a listener failed'))).toEqual([]);
});

it('deletes nothing of a workspace with a bot token, and says so', async () => {
  const { slack, logged, ana } = world();
  const event = { type: 'app_uninstalled' };
  const envelope = { type: 'event_callback', event_time: 1, api_app_id: 'A1', event };
  await slack.deliver('events_api', { ...envelope, event_id: 'Ev2', team_id: otherTeamId });
  await slack.deliver('events_api', { ...envelope, event_id: 'Ev3', team_id: ownTeamId });
  await vi.waitFor(() => {
    const reports = logged.filter((line) => line.includes('nothing was deleted'));
    expect(reports).toHaveLength(1);
  }, patienceMs);
  await ana.send('ops', '/belay alerts');
  await ana.seeMessage('Active alerts');
});
