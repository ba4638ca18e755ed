import { type Clock, systemClock } from '../../clock.ts';
import type { UnreadableRowError } from '../../database/parse-rows.ts';
import type { ServedTeams } from '../../database/served-teams.ts';
import type { Database } from '../../database/tables.ts';
import type { ServiceTransport } from '../../dataprotection/client.ts';
import type { Region } from '../../dataprotection/region.ts';
import { subDays } from '../../dates.ts';
import type { Logger } from '../../logger.ts';
import { once } from '../../once.ts';
import { readUnreviewed } from '../../requests/break-glass/break-glass-store.ts';
import { formatReviewCount } from '../../requests/break-glass/views/review-blocks.ts';
import { listUnreadableRequests } from '../../requests/list/list-store.ts';
import { createAdminDirectory } from '../../slack/api/list-admins.ts';
import type { SlackClient } from '../../slack/api/slack-client.ts';
import { code, moment } from '../../slack/ui/mrkdwn.ts';
import { listFirst, plural } from '../../slack/ui/words.ts';
import type { Access } from '../../workspace/access/access.ts';
import { listUnreadableChanges } from '../../workspace/store/setup-changes.ts';
import type { WorkspaceStore } from '../../workspace/store/workspace-store.ts';
import { approvableActions } from '../actions/index.ts';
import { digests } from '../digests/index.ts';
import { describeInstallation } from '../installations/index.ts';
import { alertWatches } from '../watches/index.ts';
import { checkChannels, checkSchedules } from './checks/check-channels.ts';
import { checkConnections } from './checks/check-connections.ts';
import { checkDatabase, databaseDown } from './checks/check-database.ts';
import { checkInstallation } from './checks/check-installation.ts';
import { checkKeys } from './checks/check-keys.ts';
import { checkApprovers, checkGroups, checkPeople, checkRules } from './checks/check-people.ts';
import { checkSlack } from './checks/check-slack.ts';
import { checkReplicas, checkUpgrade } from './checks/check-versions.ts';
import {
  type Check,
  type Finding,
  type Found,
  ok,
  problem,
  type Severity,
  warning,
} from './finding.ts';
import { readBacklog } from './read-backlog.ts';

export type DoctorDependencies = {
  db: Database;
  isEmbedded: boolean;
  isServed: ServedTeams;
  store: Pick<WorkspaceStore, 'listConnections' | 'openConnection' | 'readSettings'>;
  access: Pick<Access, 'listMembers' | 'listAdmins'>;
  regions: Region[];
  transport: ServiceTransport;
  encryptionKeys: Buffer[];
  /** Undefined where nothing receives, as on the command line. */
  isReceiving?: (() => boolean) | undefined;
  describeCause: (error: unknown) => string;
  clock: Clock;
  log: Logger;
  timeoutMs?: number | undefined;
};

export type Examined = {
  teamId: string;
  /** Undefined on the command line without a bot token: then Slack is not checked. */
  slack: SlackClient | undefined;
  /** The person who asked. */
  slackUserId?: string | undefined;
};

/**
 * Checks what Belay depends on, for one workspace, and returns the findings, the worst first. Reads
 * only, and answers within a few seconds even if nothing else does.
 */
export function examine(
  { teamId, slack, slackUserId }: Examined,
  dependencies: DoctorDependencies,
): Promise<Finding[]> {
  const { db, store, encryptionKeys, isEmbedded, isServed, isReceiving, access, clock } =
    dependencies;
  function slackChecks(client: SlackClient): Check[] {
    const settings = once(() => store.readSettings(teamId));
    const named = async () => ({ slack: client, access, settings: await settings() });
    const adminDirectory = createAdminDirectory({ listNamed: access.listAdmins });
    return [
      {
        area: 'Slack',
        async run() {
          const installed = await describeInstallation(db, teamId);
          return checkSlack({ slack: client, installed, isReceiving });
        },
      },
      { area: 'People', run: async () => checkPeople(await named(), slackUserId) },
      { area: 'Approvers', run: async () => checkApprovers(await named(), adminDirectory) },
      { area: 'Access', run: async () => checkGroups(await named()) },
      { area: 'Rules', run: async () => checkRules(await named()) },
      {
        area: 'Channels',
        run: async () => checkChannels(db, client, (await settings()).approvalsChannel),
      },
    ];
  }
  // Nobody else can open the embedded database while Belay runs.
  const isStopped = isEmbedded && !isReceiving;
  const workChecks: Check[] = [
    // Heartbeats are sent in real time, whatever clock the rest is given.
    { area: 'Processes', run: () => checkReplicas(db, systemClock()) },
    { area: 'Work', run: () => checkBacklog(db, clock(), isServed) },
  ];
  const checks: Check[] = [
    ...(slack ? slackChecks(slack) : []),
    {
      area: 'Installation',
      run: () => checkInstallation({ db, teamId, isOperator: !slackUserId, now: clock() }),
    },
    { area: 'Service', run: (signal) => checkConnections(teamId, dependencies, signal) },
    { area: 'Database', run: () => checkDatabase(dependencies), timedOut: databaseDown },
    { area: 'Keys', run: () => checkKeys({ db, teamId, encryptionKeys, now: clock() }) },
    ...(isStopped ? [] : workChecks),
    { area: 'Upgrade', run: () => checkUpgrade(db) },
    { area: 'Break-glass', run: () => checkReviews(db, { teamId, now: clock() }) },
    { area: 'Stored data', run: () => checkStoredRows(db, teamId) },
    {
      area: 'Watches and digests',
      async run() {
        const connections = await store.listConnections(teamId);
        return checkSchedules(db, { teamId, connections, now: clock() });
      },
    },
  ];
  return runChecks(checks, dependencies);
}

/** How long a run without approval may wait for its review. */
const maxDays = 1;

/** Whether runs without approval have waited too long for a review. */
export async function checkReviews(
  db: Database,
  { teamId, now }: { teamId: string; now: Date },
): Promise<Found[]> {
  const { count, oldest } = await readUnreviewed(db, { teamId });
  const since = oldest?.decidedAt;
  if (!since || since > subDays(now, maxDays)) return [];
  return [
    warning(
      `${formatReviewCount(count)}, the oldest since ${moment(since)}.`,
      'An approver other than the person who ran the action must review the run: `/belay requests`.',
    ),
  ];
}

const maxNamed = 5;

/** Whether Belay can read the rows that its work in the background leaves out if it can't. */
export async function checkStoredRows(db: Database, teamId: string): Promise<Found[]> {
  const found: [UnreadableRowError[], one: string, many?: string][] = [
    [await listUnreadableRequests(db, teamId, approvableActions), 'request'],
    [await listUnreadableChanges(db, teamId), 'change of the setup', 'changes of the setup'],
    [await digests.listUnreadable(db, teamId), 'digest'],
    [await alertWatches.listUnreadable(db, teamId), 'watch', 'watches'],
  ];
  return found.flatMap(([unreadable, one, many]) => {
    const [first] = unreadable;
    if (!first) return [];
    const ids = unreadable.map(({ row }) => code(row.id));
    return [
      problem(
        `Belay can't read ${plural(unreadable.length, one, many)} and leaves ${unreadable.length === 1 ? 'it' : 'them'} out (table ${code(first.row.table)}): ${listFirst(ids, maxNamed)}.`,
        'Restore these rows from a backup, or delete them. Search the log for their IDs to see what is wrong.',
      ),
    ];
  });
}

const minute = 60_000;
/** Longer than any takeover takes after a process has died. */
const maxDueMs = 3 * minute;
const maxQueuedMs = 10 * minute;

const workNames: Record<string, string> = {
  request: 'An approved or scheduled request',
  poll: 'A poll for new alerts',
  digest: 'A digest',
  token: "The refresh of a workspace's bot token",
  delivery: 'A channel with waiting messages',
};

/** Work that is due and that nobody does, and messages that are late. */
async function checkBacklog(db: Database, now: Date, isServed: ServedTeams): Promise<Found[]> {
  const { oldestDueAt, outbox } = await readBacklog(db, now, isServed);
  const overdue = Object.entries(oldestDueAt).flatMap(([kind, dueAt]) =>
    dueAt && +now - +dueAt > maxDueMs
      ? [
          problem(
            `${workNames[kind] ?? kind} has been due since ${moment(dueAt)}.`,
            'Check that Belay is running and can reach the database. Then search the log for errors.',
          ),
        ]
      : [],
  );
  const { waiting, oldestQueuedAt } = outbox;
  const isLate = oldestQueuedAt && +now - +oldestQueuedAt > maxQueuedMs;
  const late = isLate
    ? [
        warning(
          `Messages are late: ${waiting} waiting, the oldest since ${moment(oldestQueuedAt)}.`,
          'Narrow the watches of busy channels with `/belay watch`. Slack allows one message per second in a channel.',
        ),
      ]
    : [];
  if (overdue.length + late.length > 0) return [...overdue, ...late];
  return [ok(`Nothing is overdue · ${plural(waiting, 'message')} waiting`)];
}

/** All checks together finish in this time, even if something doesn't respond. */
const checkTimeoutMs = 4000;

const order: Severity[] = ['problem', 'warning', 'ok'];

/** Runs all checks at once and returns their findings, the worst first. */
async function runChecks(
  checks: Check[],
  {
    describeCause,
    log,
    timeoutMs = checkTimeoutMs,
  }: { describeCause: (error: unknown) => string; log: Logger; timeoutMs?: number | undefined },
): Promise<Finding[]> {
  const tooLate = `no answer within ${timeoutMs / 1000} seconds.`;
  const found = await Promise.all(
    checks.map(async ({ area, run, timedOut = notChecked(tooLate) }): Promise<Finding[]> => {
      const signal = AbortSignal.timeout(timeoutMs);
      const { promise: late, resolve } = Promise.withResolvers<Found[]>();
      signal.addEventListener('abort', () => resolve([timedOut]));
      const running = run(signal).catch((error: unknown) => {
        log.warn({ area, err: error }, 'a doctor check failed');
        return [notChecked(describeCause(error))];
      });
      return (await Promise.race([running, late])).map((one) => ({ area, ...one }));
    }),
  );
  return found.flat().sort((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity));
}

function notChecked(cause: string): Found {
  const remedy = 'Run the check again.';
  return warning(`Not checked: ${cause}`, remedy);
}
