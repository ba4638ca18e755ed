import { randomBytes } from 'node:crypto';
import { addMinutes } from 'date-fns/addMinutes';
import { subDays } from 'date-fns/subDays';
import { subHours } from 'date-fns/subHours';
import type { CompiledQuery } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readBacklog } from '../../../src/features/doctor/read-backlog.ts';
import { listFailedDrills } from '../../../src/features/drills/index.ts';
import { serveInstalled } from '../../../src/features/installations/index.ts';
import { openStores } from '../../../src/open-stores.ts';
import { ask, heardBack, seeAgain } from '../../support/ask.ts';
import { postgresUrl } from '../../support/databases.ts';
import { startWorld } from '../../support/world.ts';
import { fillTables } from './fill-tables.ts';
import { findSequentialScans, openRecorded, type RecordedDatabase } from './record-statements.ts';

/**
 * Statements that read the settings of all workspaces on purpose, by a part of their text. Their tables
 * have a few rows for each workspace, and the statements run in the background.
 */
const acceptedScans: { text: RegExp; tables: string[] }[] = [
  // Connections with watches and without a poll, every five seconds.
  { text: /^insert into alert_poll .* from watch join/, tables: ['connection', 'alert_poll'] },
  // Connections whose policies are watched, or no longer, once a minute.
  {
    text: /^delete from policy_observation /,
    tables: ['connection', 'policy_watch', 'digest', 'policy_observation'],
  },
  {
    text: /^insert into policy_observation /,
    tables: ['connection', 'policy_watch', 'digest', 'policy_observation'],
  },
  // Connections without a sample of compliance, every ten minutes.
  { text: /^insert into compliance_sampling /, tables: ['connection', 'compliance_sampling'] },
  // Values that another key encrypts, and keys that sign, once a minute.
  { text: /where not starts_with\(/, tables: ['connection', 'installation'] },
  { text: /^select distinct last.key_id as id from/, tables: ['audit_log_head'] },
  // The key of the other logs, at the first entry of a workspace.
  { text: /^select "entry"."key_id" from "audit_log_head"/, tables: ['audit_log_head'] },
  // Installations of another Slack app, at the start.
  { text: /^select "id" from "installation" where "app_id" <> \$1/, tables: ['installation'] },
  // Logs with entries that no checkpoint was posted for, every ten minutes.
  {
    text: /^select .* from "audit_log_head" inner join "workspace_settings"/,
    tables: ['audit_log_head', 'workspace_settings', 'installation'],
  },
  // Metrics, at most every ten seconds.
  { text: /^select "state", count\(\*\) as "count" from "installation"/, tables: ['installation'] },
  { text: /^select coalesce\(sum\(seq\), 0\)/, tables: ['audit_log_head'] },
];

/** The other statements that read a table with more than 10,000 rows from end to end. */
async function findUnexpected({ db }: RecordedDatabase, statements: CompiledQuery[]) {
  const found: string[] = [];
  for (const statement of statements) {
    const text = statement.sql.replaceAll(/\s+/g, ' ').trim();
    const accepted = acceptedScans
      .filter((one) => one.text.test(text))
      .flatMap((one) => one.tables);
    const tables = await findSequentialScans(db, statement, { minRows: 10_000 });
    const unexpected = tables.filter((table) => !accepted.includes(table));
    if (unexpected.length > 0) found.push(`${unexpected.join(', ')}: ${text}`);
  }
  return found;
}

describe.runIf(postgresUrl)('with more than 10,000 rows in every table', () => {
  const key = randomBytes(32);
  let database: RecordedDatabase;
  beforeAll(async () => {
    database = await openRecorded();
    await fillTables(database.db, key);
  }, 120_000);
  afterAll(() => database.close());

  it('statements that people wait for scan no large table', async () => {
    const { ana, ben, belay } = await startWorld({
      // With OAuth, because looking up the served workspaces makes statements harder to plan.
      workspaces: 2,
      openDatabase: async () => ({ ...database, close: async () => undefined }),
      env: { BELAY_ENCRYPTION_KEYS: key.toString('base64') },
    });
    database.takeStatements();
    await ana.send('ops', '/belay alerts');
    await ana.seeMessage('Active alerts');
    await ana.send('ops', '/belay watch all');
    await ana.seeMessage('Watch added.');
    await ana.send('ops', '/belay compliance');
    await ana.openHome();
    await ana.seeHome('Your channels');
    const request = await ask(ana, '/belay disable kim.lee@example.com');
    await ben.press(request, 'Approve');
    await seeAgain(ana, request, 'is disabled.');
    await heardBack(ana);
    const denied = await ask(ana, '/belay disable joana.prado@example.com');
    await ben.press(denied, 'Deny');
    await ben.submit(await ben.seeDialog('Visible to the requester.'), {
      reason: { input: 'Still needed' },
    });
    await seeAgain(ana, denied, 'Denied');
    await ana.send('ops', '/belay requests');
    await ana.seeMessage('You have no open requests');
    await ana.send('ops', '/belay audit');
    await belay.stop();
    const { approvalStore } = openStores(database.db, {
      encryptionKeys: [key],
      isServed: serveInstalled,
    });
    await approvalStore.findByMessage('T00000001', { channelId: 'D1', messageTs: '1' });

    const statements = database.takeStatements();
    expect(statements.length).toBeGreaterThan(80);
    expect(await findUnexpected(database, statements)).toEqual([]);
  }, 60_000);

  it('work that is due is found, and old rows are deleted, by an index', async () => {
    const { db } = database;
    const stores = openStores(db, {
      encryptionKeys: [key],
      isServed: serveInstalled,
    });
    const at = new Date();
    const lease = { holder: 'test', at, until: addMinutes(at, 1) };
    const old = subDays(at, 400);
    database.takeStatements();
    await stores.approvalStore.findDue(at);
    await stores.approvalStore.findUnpublished({ since: subDays(at, 17), at });
    await stores.approvalStore.listTeamsToRemind(at);
    await stores.approvalStore.whileReminding('T00000001', lease, async () => undefined);
    await stores.approvalStore.findDueReminders('T00000001', at);
    await stores.workspaceStore.listUnannounced(at);
    await stores.workspaceStore.findUnannounced('T00000001', at);
    await stores.outboxStore.leaseChannels(lease, 20);
    await stores.pollStore.prepare(at);
    await stores.pollStore.leaseDue(lease, 8);
    await stores.complianceWatches.claimDue(lease);
    await stores.digestStore.leaseDue(lease, 8);
    await stores.drills.startDue(at, 100);
    await stores.drillRuns.lease(lease, 4);
    const on = { teamId: 'T00000001', originId: '00000000-0000-4000-8200-000000000001' };
    const inChannel = { teamId: on.teamId, channelId: 'C00000001' };
    await stores.drillRuns.readLastTried(on);
    await stores.drillRuns.list(on, { start: 0, perPage: 10 });
    await stores.digestStore.countDrills({ ...on, since: old, now: at });
    await stores.digestStore.countMuted({ ...inChannel, since: old, now: at });
    await stores.mutes.findDue(at, 100);
    await stores.pollStore.findDueStates(at, 100);
    await stores.reminders.findDue(at, 100);
    await stores.clearings.lease(lease, 8);
    await stores.mutes.countHeld([on.originId]);
    await listFailedDrills(db, 'T00000001');
    await stores.observations.prepare({ at, intervalMs: 15 * 60_000 });
    await stores.observations.leaseDue(lease, 8);
    await stores.samples.claim({ now: at, leaseUntil: lease.until });
    await stores.homeStore.leaseDue(lease, { since: subHours(at, 4), limit: 8 });
    await stores.homeStore.applyChanges();
    await stores.publishPace.take({ teamId: 'T00000001', isOpened: true, at });
    await stores.tokenExpiry.listDue({ now: at, warnings: [1, 14] });
    await stores.auditStore.findUnannounced(at);
    await readBacklog(db, at, serveInstalled);

    await stores.approvalStore.prune(old);
    await stores.outboxStore.prune({ before: subDays(at, 370), groupedBefore: old });
    await stores.watchStore.prune({ cleared: subDays(at, 370), all: old });
    await stores.homeStore.prune(old);
    await stores.clearings.prune(subDays(at, 370));
    await stores.workspaceStore.pruneChanges(at);
    await stores.tokenPages.prune(at);
    await stores.pruneGroups(subDays(at, 1));
    await stores.pruneRefusals(at);
    await stores.policyDrafts.prune(at);

    const statements = database.takeStatements();
    expect(statements.length).toBeGreaterThan(35);
    expect(await findUnexpected(database, statements)).toEqual([]);
  });

  it('finds a table that is read from end to end', async () => {
    const { db } = database;
    database.takeStatements();
    await db.selectFrom('approval').select('id').where('reason', '=', 'left').limit(5).execute();
    const [statement] = database.takeStatements();
    if (!statement) throw new Error('nothing was recorded');
    expect(await findSequentialScans(db, statement, { minRows: 10_000 })).toEqual(['approval']);
  });
});
