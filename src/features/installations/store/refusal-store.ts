import { sql } from 'kysely';
import { type Lease, leaseRows, released } from '../../../database/leases.ts';
import { serveAll } from '../../../database/served-teams.ts';
import type { Database } from '../../../database/tables.ts';
import type { SlackPlace } from '../../../slack/api/slack-clients.ts';
import type { TokenCipher } from '../../../workspace/store/token-cipher.ts';
import { openToken } from './sealed-tokens.ts';
import { isServing, organizationOf } from './serving-installation.ts';

/** An installation that Slack ended, and whose installer has no message about it yet. */
export type Refusal = {
  id: string;
  teamId: string;
  organizationId: string | undefined;
  installedBy: string;
  code: string | undefined;
  version: number;
  /** The bot token, as long as it works. */
  botToken: string | undefined;
};

export type RefusalStore = ReturnType<typeof createRefusalStore>;

/** The installations that must be installed again. */
export function createRefusalStore(db: Database, cipher: TokenCipher) {
  const unchanged = ({ id, version }: Refusal) =>
    db
      .updateTable('installation')
      .where('id', '=', id)
      .where('version', '=', version)
      .where('state', '=', 'reinstall_needed');

  return {
    /** Leases refusals that were not reported yet. */
    async leaseDue(lease: Lease, limit: number): Promise<Refusal[]> {
      const rows = await leaseRows(db, lease, {
        table: 'installation',
        key: ['id'],
        isServed: serveAll,
        limit,
        isDue: sql`state = 'reinstall_needed' and reported_at is null
          and (refresh_after is null or refresh_after <= ${lease.at})`,
        orderBy: ['refused_at'],
      });
      return rows.map((row) => {
        const isUsable = row.token_expires_at === null || row.token_expires_at > lease.at;
        return {
          id: row.id,
          teamId: row.team_id,
          version: row.version,
          installedBy: row.installed_by,
          organizationId: organizationOf(row),
          code: row.refused_code ?? undefined,
          botToken: isUsable ? openToken(cipher, 'bot', row) : undefined,
        };
      });
    },

    /**
     * Deletes the tokens, which no longer work. Keeps them if the app may have been uninstalled, because
     * the check for that needs the bot token.
     */
    async recordReport(
      refusal: Refusal,
      { at, isUninstalled }: { at: Date; isUninstalled: boolean },
    ): Promise<void> {
      await unchanged(refusal)
        .set({
          ...released,
          reported_at: at,
          refresh_after: null,
          ...(isUninstalled
            ? { check_at: at }
            : { bot_token_sealed: null, refresh_token_sealed: null }),
        })
        .execute();
    },

    async postpone(refusal: Refusal, after: Date): Promise<void> {
      await unchanged(refusal)
        .set({ ...released, refresh_after: after })
        .execute();
    },

    /** Whether the workspace, or its organization, had an installation that must be repeated. */
    async isReinstallNeeded({ teamId, enterpriseId = '' }: SlackPlace): Promise<boolean> {
      const row = await db
        .selectFrom('installation')
        .select('id')
        .where('state', '=', 'reinstall_needed')
        .where('team_id', 'in', [teamId, enterpriseId])
        .where(({ not }) => not(isServing(sql`${teamId}::text`)))
        .limit(1)
        .executeTakeFirst();
      return row !== undefined;
    },
  };
}
