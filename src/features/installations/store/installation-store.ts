import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '../../../database/open-database.ts';
import type { EnqueueMessages } from '../../../outbox/index.ts';
import type { BotToken, SlackOrigin } from '../../../slack/api/slack-clients.ts';
import type { TokenCipher } from '../../workspaces/index.ts';
import type { Grant, Place } from '../installation.ts';
import { welcomeMessage } from '../views/welcome-message.ts';
import { activeFor } from './served.ts';

export type InstallationStore = ReturnType<typeof createInstallationStore>;

export type InstallationSummary = {
  isOrganization: boolean;
  installedBy: string;
  installedAt: Date;
};

/** None of the configured encryption keys opens the stored bot token. */
export class BotTokenUnreadableError extends Error {
  override name = 'BotTokenUnreadableError';
}

export function createInstallationStore(
  db: Database,
  { cipher, enqueueMessages }: { cipher: TokenCipher; enqueueMessages: EnqueueMessages },
) {
  return {
    /**
     * Stores a grant, in place of an earlier one for the same workspace or organization, and enqueues
     * the welcome message to a workspace's installer. Refused if Belay is installed with another app:
     * its requests would have another signing secret.
     */
    save: (grant: Grant, at: Date): Promise<'saved' | 'wrong-app'> =>
      db.transaction().execute(async (trx) => {
        const { place, installedBy } = grant;
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
          .select(['id', 'version'])
          .where('is_enterprise_install', '=', place.isOrganization)
          .where(
            place.isOrganization ? 'enterprise_id' : 'team_id',
            '=',
            place.isOrganization ? place.enterpriseId : place.teamId,
          )
          .executeTakeFirst();
        const columns = { ...columnsOf(grant, cipher), installed_at: at };
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
        if (!place.isOrganization) {
          const { teamId } = place;
          const to = { teamId, channelId: installedBy, ownerSlackUserId: installedBy };
          const outgoing = [{ subject: `welcome:${id}`, message: welcomeMessage() }];
          await enqueueMessages(trx, to, outgoing, at);
        }
        return 'saved';
      }),

    /**
     * The bot token for a workspace: its own, else that of its organization. A workspace that is new
     * to an organization's installation is remembered, so that background work finds it.
     * @throws BotTokenUnreadableError
     */
    async readToken({ teamId, organizationId }: SlackOrigin): Promise<BotToken | undefined> {
      let row = await findActive(db, teamId);
      if (!row && organizationId !== undefined) {
        await db
          .insertInto('installation_team')
          .values({ team_id: teamId, enterprise_id: organizationId })
          .onConflict((conflict) =>
            conflict.column('team_id').doUpdateSet({ enterprise_id: organizationId }),
          )
          .execute();
        row = await findActive(db, teamId);
      }
      if (!row?.bot_token_sealed) return undefined;
      const { id, version, team_id, enterprise_id } = row;
      const place = { slackToken: 'bot' as const, teamId: team_id, enterpriseId: enterprise_id };
      const token = cipher.open(row.bot_token_sealed, place);
      if (token === undefined) {
        throw new BotTokenUnreadableError(`the bot token of workspace ${teamId} is unreadable`);
      }
      return { token, version: `${id} ${version}` };
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
      isOrganization: row.is_enterprise_install,
      installedBy: row.installed_by,
      installedAt: row.installed_at,
    }
  );
}

/** A workspace's own installation goes before that of its organization. */
function findActive(db: Database, teamId: string) {
  return db
    .selectFrom('installation')
    .selectAll()
    .where(activeFor(sql`${teamId}`))
    .orderBy('is_enterprise_install')
    .limit(1)
    .executeTakeFirst();
}

function columnsOf(grant: Grant, cipher: TokenCipher) {
  const { place, refreshToken, expiresAt } = grant;
  const { teamId = null, enterpriseId = null } = place satisfies Place;
  const seal = (slackToken: 'bot' | 'refresh', token: string) =>
    cipher.seal(token, { slackToken, teamId, enterpriseId });
  return {
    ...{ team_id: teamId, enterprise_id: enterpriseId, app_id: grant.appId },
    is_enterprise_install: place.isOrganization,
    ...{ bot_user_id: grant.botUserId, scopes: JSON.stringify(grant.scopes) },
    bot_token_sealed: seal('bot', grant.botToken),
    refresh_token_sealed: refreshToken === undefined ? null : seal('refresh', refreshToken),
    token_expires_at: expiresAt ?? null,
    ...{ state: 'active' as const, installed_by: grant.installedBy },
  };
}
