import type { Clock } from '../../clock.ts';
import type { ServedTeams } from '../../database/served-teams.ts';
import type { Database } from '../../database/tables.ts';
import type { ServiceTransport } from '../../dataprotection/client.ts';
import type { Region } from '../../dataprotection/region.ts';
import type { Logger } from '../../logger.ts';
import { createAdminDirectory } from '../../slack/api/list-admins.ts';
import type { SlackClient } from '../../slack/api/slack-client.ts';
import type { Access } from '../access/index.ts';
import { describeInstallation } from '../installations/index.ts';
import { isUserGroup, type WorkspaceStore } from '../workspaces/index.ts';
import { checkAccess } from './checks/check-access.ts';
import { checkApprovers } from './checks/check-approvers.ts';
import { checkChannels, checkSchedules } from './checks/check-channels.ts';
import { checkConnections } from './checks/check-connections.ts';
import { checkDatabase, databaseDown } from './checks/check-database.ts';
import { checkInstallation } from './checks/check-installation.ts';
import { checkKeys } from './checks/check-keys.ts';
import { checkReviews } from './checks/check-reviews.ts';
import { checkRules } from './checks/check-rules.ts';
import { checkPeople, checkSlack } from './checks/check-slack.ts';
import { checkStoredRows } from './checks/check-stored-rows.ts';
import { checkReplicas, checkUpgrade } from './checks/check-versions.ts';
import { checkBacklog } from './checks/check-work.ts';
import type { Check, Finding } from './finding.ts';
import { readBacklog } from './read-backlog.ts';
import { runChecks } from './run-checks.ts';

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
  const slackChecks = (client: SlackClient): Check[] => [
    {
      area: 'Slack',
      async run() {
        const installed = await describeInstallation(db, teamId);
        return checkSlack({ slack: client, installed, isReceiving });
      },
    },
    {
      area: 'People',
      async run() {
        const { approvers: named } = await store.readSettings(teamId);
        const approvers = named.filter((id) => !isUserGroup(id));
        const slackUserIds = [...new Set([...(slackUserId ? [slackUserId] : []), ...approvers])];
        return checkPeople({ slack: client, slackUserIds });
      },
    },
    {
      area: 'Approvers',
      async run() {
        const settings = await store.readSettings(teamId);
        const adminDirectory = createAdminDirectory({ listNamed: access.listAdmins });
        return checkApprovers({ slack: client, settings, access, adminDirectory });
      },
    },
    {
      area: 'Access',
      async run() {
        const settings = await store.readSettings(teamId);
        return checkAccess({ slack: client, settings, access });
      },
    },
    {
      area: 'Rules',
      async run() {
        const settings = await store.readSettings(teamId);
        return checkRules({ slack: client, settings, access });
      },
    },
    {
      area: 'Channels',
      async run() {
        const { approvalsChannelId } = await store.readSettings(teamId);
        return checkChannels({ db, slack: client, approvalsChannelId });
      },
    },
  ];
  // Nobody else can open the embedded database while Belay runs.
  const isStopped = isEmbedded && !isReceiving;
  const workChecks: Check[] = [
    { area: 'Processes', run: () => checkReplicas(db, clock()) },
    {
      area: 'Work',
      async run() {
        const now = clock();
        return checkBacklog(await readBacklog(db, now, isServed), now);
      },
    },
  ];
  const checks: Check[] = [
    ...(slack ? slackChecks(slack) : []),
    {
      area: 'Installation',
      run: () => checkInstallation({ db, teamId, isOperator: !slackUserId, now: clock() }),
    },
    { area: 'Service', run: (signal) => checkConnections(teamId, dependencies, signal) },
    { area: 'Database', run: () => checkDatabase(dependencies), timedOut: databaseDown },
    {
      area: 'Keys',
      run: () => checkKeys({ db, teamId, encryptionKeys, now: clock() }),
    },
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
