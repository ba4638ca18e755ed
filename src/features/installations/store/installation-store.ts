import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { AppendEntry } from '../../../audit-log/append.ts';
import type { ServedTeams } from '../../../database/served-teams.ts';
import type { Database } from '../../../database/tables.ts';
import { addMilliseconds } from '../../../dates.ts';
import { enqueueMessages } from '../../../postings/outbox/enqueue.ts';
import type { BotToken } from '../../../slack/api/slack-clients.ts';
import type { TokenCipher } from '../../../workspace/store/token-cipher.ts';
import { welcomeMessage } from '../views/installer-messages.ts';
import {
  isServing,
  openToken,
  organizationOf,
  sealTokens,
  servesTeam,
} from './installation-row.ts';
import { untried } from './refresh-store.ts';

/** What Slack grants to an app for a code, in one workspace or in a whole organization. */
export type Grant = {
  /** The workspace; the organization (`E…`), equal to `enterpriseId`, for an installation in all of it. */
  teamId: string;
  /** Undefined for a workspace outside of any organization. */
  enterpriseId: string | undefined;
  appId: string;
  botToken: string;
  /** Given, with the expiry, if Slack rotates the app's tokens. */
  refreshToken: string | undefined;
  expiresAt: Date | undefined;
  /** Slack user id. */
  installedBy: string;
};

/** Until Slack is first asked whether the app is still there. */
const firstCheckMs = 60 * 60_000;

export type InstallationStore = ReturnType<typeof createInstallationStore>;

/** Without `expiresAt` unless Slack rotates the tokens of the app. */
type StoredBotToken = BotToken & { installationId: string; expiresAt: Date | undefined };

export type InstallationSummary = {
  /** The workspace; the organization (`E…`) for an installation in all of it. */
  installedIn: string;
  /** Whether the installation is for the workspace's whole organization. */
  isForOrganization: boolean;
  installedBy: string;
  installedAt: Date;
};

/** None of the configured encryption keys opens the stored bot token. */
export class BotTokenUnreadableError extends Error {
  override name = 'BotTokenUnreadableError';
}

export function createInstallationStore(
  db: Database,
  { cipher, append }: { cipher: TokenCipher; append: AppendEntry },
) {
  return {
    /**
     * Stores a grant, in place of an earlier one for the same workspace or organization, and enqueues
     * the welcome message to the installer. Refused if Belay is installed with another app: its
     * requests would have another signing secret.
     */
    save: (grant: Grant, at: Date): Promise<'saved' | 'wrong-app'> =>
      db.transaction().execute(async (trx) => {
        const { teamId, installedBy } = grant;
        // One at a time, so that two apps can't both be the first.
        await sql`lock table installation in share row exclusive mode`.execute(trx);
        const other = await trx
          .selectFrom('installation')
          .select('id')
          .where('app_id', '<>', grant.appId)
          .limit(1)
          .executeTakeFirst();
        if (other) return 'wrong-app';
        const before = await trx
          .selectFrom('installation')
          .select(['id', 'version', 'state'])
          .where('team_id', '=', teamId)
          .executeTakeFirst();
        if (before?.state === 'uninstalling') {
          throw new Error(`the data of workspace ${teamId} is still being deleted`);
        }
        const columns = { ...columnsOf(grant, cipher), ...asInstalled(at) };
        const id = before?.id ?? randomUUID();
        if (before) {
          const changed = { ...columns, version: before.version + 1 };
          await trx.updateTable('installation').set(changed).where('id', '=', id).execute();
        } else {
          await trx
            .insertInto('installation')
            .values({ id, ...columns })
            .execute();
        }
        const to = { teamId, channelId: installedBy, ownerSlackUserId: installedBy };
        const outgoing = [{ subject: `welcome:${id}`, message: welcomeMessage() }];
        await enqueueMessages(trx, to, outgoing, at);
        const event = before ? 'reinstalled' : 'installed';
        await append(trx, { teamId, at, event, actor: installedBy });
        return 'saved';
      }),

    /**
     * The bot token for a workspace: its own, or its organization's. With the id of an organization
     * (`E…`), the organization's.
     * @throws BotTokenUnreadableError
     */
    async readToken({ teamId }: { teamId: string }): Promise<StoredBotToken | undefined> {
      const row = await findActive(db, teamId);
      if (!row?.bot_token_sealed) return undefined;
      const token = openToken(cipher, 'bot', row);
      if (token === undefined) {
        throw new BotTokenUnreadableError(`the bot token of workspace ${teamId} is unreadable`);
      }
      const { id, version } = row;
      return {
        token,
        version: `${id} ${version}`,
        organizationId: organizationOf(row),
        installationId: id,
        expiresAt: row.token_expires_at ?? undefined,
      };
    },
  };
}

/** The installation that serves a workspace; undefined if there is none, as with a bot token. */
export async function describeInstallation(
  db: Database,
  teamId: string,
): Promise<InstallationSummary | undefined> {
  const row = await findActive(db, teamId);
  return (
    row && {
      installedIn: row.team_id,
      isForOrganization: organizationOf(row) !== undefined,
      installedBy: row.installed_by,
      installedAt: row.installed_at,
    }
  );
}

/** The teams in which Belay is installed with OAuth at this moment, or in their organization. */
export const serveInstalled: ServedTeams = (column) => isServing(sql.ref(column));

function findActive(db: Database, teamId: string) {
  return db
    .selectFrom('installation')
    .selectAll()
    .where(servesTeam(sql`${teamId}::text`))
    .executeTakeFirst();
}

/**
 * Whether Belay may keep data of the workspace: installed there or, without any installation on record,
 * running with the bot token of one workspace.
 */
export async function mayStoreData(db: Database, teamId: string): Promise<boolean> {
  const any = await db.selectFrom('installation').select('team_id').limit(1).executeTakeFirst();
  return any === undefined || (await findActive(db, teamId)) !== undefined;
}

/** Clears what was recorded about the end of an earlier installation. */
function asInstalled(at: Date) {
  const check = { check_at: addMilliseconds(at, firstCheckMs), token_refused_since: null };
  return { installed_at: at, ...check, uninstall_reported_at: null };
}

function columnsOf(grant: Grant, cipher: TokenCipher) {
  const { teamId, enterpriseId = null, expiresAt } = grant;
  return {
    team_id: teamId,
    enterprise_id: enterpriseId,
    app_id: grant.appId,
    ...sealTokens(cipher, { teamId, enterpriseId }, grant),
    token_expires_at: expiresAt ?? null,
    ...untried,
    state: 'active' as const,
    installed_by: grant.installedBy,
  };
}
