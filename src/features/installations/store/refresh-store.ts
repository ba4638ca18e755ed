import { type RawBuilder, sql } from 'kysely';
import { type Lease, leaseRows, released } from '../../../database/leases.ts';
import { serveAll } from '../../../database/served-teams.ts';
import type { Database } from '../../../database/tables.ts';
import type { SlackPlace } from '../../../slack/api/slack-clients.ts';
import type { TokenCipher } from '../../../workspace/store/token-cipher.ts';
import { isServing, openToken, organizationOf, sealTokens } from './installation-row.ts';

/** One installation whose refresh token only the holder of the lease may exchange. */
export type LeasedRefresh = {
  id: string;
  teamId: string;
  enterpriseId: string | null;
  /** Of the tokens that were read. */
  version: number;
  /** Undefined if no configured encryption key opens it. */
  refreshToken: string | undefined;
  /** Exchanges of this refresh token that Slack may have received, with this one: 1 for the first. */
  attempt: number;
};

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

type NewTokens = { botToken: string; refreshToken: string; expiresAt: Date };

/** Columns of an installation whose refresh token has not been tried. */
export const untried = {
  ...released,
  refresh_attempts: 0,
  refresh_after: null,
  refused_code: null,
  refused_at: null,
  reported_at: null,
} as const;

export type RefreshStore = ReturnType<typeof createRefreshStore>;

/**
 * The refresh tokens of all installations. A claim locks the row, reads it again and records the
 * attempt, committed before Slack is called: a process that dies leaves an attempt that the next one
 * counts. The result of an attempt is recorded by `version`, not by lease, because a pair that arrives
 * late is the only one that works. With them, the refusals that their installers don't know of yet.
 */
export function createRefreshStore(db: Database, cipher: TokenCipher) {
  async function leaseWhere(
    lease: Lease,
    {
      dueBefore,
      condition,
      limit,
    }: { dueBefore: Date; condition: RawBuilder<unknown>; limit: number },
  ): Promise<LeasedRefresh[]> {
    const rows = await leaseRows(db, lease, {
      table: 'installation',
      key: ['id'],
      isServed: serveAll,
      limit,
      isDue: sql`${condition} and state = 'active' and refresh_token_sealed is not null
        and token_expires_at <= ${dueBefore}
        and (refresh_after is null or refresh_after <= ${lease.at})`,
      orderBy: ['token_expires_at'],
      set: sql`refresh_attempts = leased.refresh_attempts + 1`,
    });
    return rows.map((row) => ({
      id: row.id,
      teamId: row.team_id,
      enterpriseId: row.enterprise_id,
      version: row.version,
      refreshToken: openToken(cipher, 'refresh', row),
      attempt: row.refresh_attempts,
    }));
  }

  const unchanged = ({ id, version }: LeasedRefresh) =>
    db
      .updateTable('installation')
      .where('id', '=', id)
      .where('version', '=', version)
      .where('state', 'in', ['active', 'reinstall_needed']);

  const unreported = ({ id, version }: Refusal) =>
    db
      .updateTable('installation')
      .where('id', '=', id)
      .where('version', '=', version)
      .where('state', '=', 'reinstall_needed');

  return {
    /**
     * Leases installations whose tokens expire before `dueBefore`: retries alone, if there are any, because
     * their result must not wait for others; else the first to expire.
     */
    async leaseDue(lease: Lease, dueBefore: Date, limit: number): Promise<LeasedRefresh[]> {
      const isRetry = sql`refresh_attempts > 0`;
      const retries = await leaseWhere(lease, { dueBefore, condition: isRetry, limit });
      if (retries.length > 0) return retries;
      return leaseWhere(lease, { dueBefore, condition: sql`true`, limit });
    },

    /** The same for this one installation. Undefined if it isn't free and due. */
    async claimOne(lease: Lease, dueBefore: Date, id: string): Promise<LeasedRefresh | undefined> {
      const condition = sql`id = ${id}`;
      const [leased] = await leaseWhere(lease, { dueBefore, condition, limit: 1 });
      return leased;
    },

    /** Whether another process or call is refreshing the token. */
    async isLeased(id: string, at: Date): Promise<boolean> {
      const row = await db
        .selectFrom('installation')
        .select('id')
        .where('id', '=', id)
        .where('lease_until', '>', at)
        .executeTakeFirst();
      return row !== undefined;
    },

    /** Replaces the tokens that were exchanged; false if others have replaced them meanwhile. */
    async replace(leased: LeasedRefresh, tokens: NewTokens): Promise<boolean> {
      const { numUpdatedRows } = await unchanged(leased)
        .set({
          ...untried,
          ...sealTokens(cipher, leased, tokens),
          token_expires_at: tokens.expiresAt,
          version: leased.version + 1,
          state: 'active',
        })
        .executeTakeFirst();
      return numUpdatedRows > 0;
    },

    /** No attempt before `after`. An attempt that did not reach Slack doesn't count. */
    async postpone(
      leased: LeasedRefresh,
      { after, isOutcomeUnknown }: { after: Date; isOutcomeUnknown: boolean },
    ): Promise<void> {
      const attempts = leased.attempt - (isOutcomeUnknown ? 0 : 1);
      await unchanged(leased)
        .set({ ...released, refresh_attempts: attempts, refresh_after: after })
        .where('refresh_attempts', '=', leased.attempt)
        .execute();
    },

    /** Slack refused the refresh token for good. Resolves to whether this ended the installation. */
    async refuse(
      leased: LeasedRefresh,
      { code, at }: { code: string; at: Date },
    ): Promise<boolean> {
      const { numUpdatedRows } = await unchanged(leased)
        .set({
          ...released,
          state: 'reinstall_needed',
          refused_code: code,
          refused_at: at,
          refresh_after: null,
          reported_at: null,
        })
        .where('state', '=', 'active')
        .executeTakeFirst();
      return numUpdatedRows > 0;
    },

    /** Leases refusals that were not reported yet. */
    async leaseRefusals(lease: Lease, limit: number): Promise<Refusal[]> {
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
      await unreported(refusal)
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

    async postponeReport(refusal: Refusal, after: Date): Promise<void> {
      await unreported(refusal)
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
