import { type Selectable, type SqlBool, sql, type Transaction } from 'kysely';
import type { AppendEntry } from '../../../audit-log/append.ts';
import type { Database, Tables } from '../../../database/tables.ts';
import type { PurgedTeam, PurgeProgress, PurgeTeam } from '../../../database/team-purge.ts';
import type { UninstallEvent } from '../../../slack/interactions/uninstall-events.ts';
import type { TokenCipher } from '../../../workspace/store/token-cipher.ts';
import { openToken, organizationOf } from './installation-row.ts';
import type { InstallationTable } from './tables.ts';

/** What the features do when a workspace uninstalls Belay; the composition root lists them. */
export type UninstallHandlers = {
  /** Ends waiting work, in the transaction that ends the installation. In this order. */
  stop: ((trx: Transaction<Tables>, team: PurgedTeam) => Promise<void>)[];
  /** Afterwards, each in transactions of its own, until nothing is left. In this order. */
  purge: PurgeTeam[];
  append: AppendEntry;
};

/** An installation that this process checks, or deletes the data of, until `check_at`. */
export type ClaimedInstallation = {
  id: string;
  teamId: string;
  /** Set, to `teamId`, if it is that of a whole organization. */
  organizationId: string | undefined;
  version: number;
  state: InstallationTable['state'];
  /** Undefined if there is none, or none that a configured key opens. */
  botToken: string | undefined;
  /** Slack issues it a new token twice a day, and revokes older ones. */
  isRotating: boolean;
  /** When the app was uninstalled, as Slack reported it, after it was installed here. */
  reportedAt: Date | undefined;
  refusedSince: Date | undefined;
  uninstalledAt: Date | undefined;
};

export type UninstallStore = ReturnType<typeof createUninstallStore>;

export function createUninstallStore(
  db: Database,
  { cipher, handlers }: { cipher: TokenCipher; handlers: UninstallHandlers },
) {
  /** Changes nothing if the app was installed again, or an uninstall reported, after the claim. */
  const change = ({ id, version, reportedAt }: ClaimedInstallation) =>
    db
      .updateTable('installation')
      .where('id', '=', id)
      .where('version', '=', version)
      .where('uninstall_reported_at', 'is not distinct from', reportedAt ?? null);

  return {
    /** Records an event. One that is older than the installation is about an earlier installation. */
    async report({ appId, teamId, at, isUninstall }: UninstallEvent, now: Date): Promise<void> {
      await db
        .updateTable('installation')
        .set({
          check_at: sql<Date>`least(check_at, ${now})`,
          ...(isUninstall && {
            uninstall_reported_at: sql<Date>`case when installed_at <= ${at} then ${at}::timestamptz
              else uninstall_reported_at end`,
          }),
        })
        .where('team_id', '=', teamId)
        .where('app_id', '=', appId)
        .where('state', '<>', 'uninstalling')
        .execute();
    },

    /** A call was refused: the next check is due now, unless one is due before `soon` anyway. */
    async requestCheck(teamId: string, { at, soon }: { at: Date; soon: Date }): Promise<void> {
      await db
        .updateTable('installation')
        .set({ check_at: at })
        .where('team_id', '=', teamId)
        .where('state', '=', 'active')
        .where('check_at', '>', soon)
        .where('token_refused_since', 'is', null)
        .execute();
    },

    /** The installations that are due first; no other process takes them before `until`. */
    async leaseDue(
      { at, until }: { at: Date; until: Date },
      limit: number,
    ): Promise<ClaimedInstallation[]> {
      const rows = await db
        .updateTable('installation')
        .set({ check_at: until })
        // An array, so that the planner doesn't run the subquery again, which would lock further rows.
        .where(
          sql<SqlBool>`id = any (array(select id from ${sql.table('installation')}
            where check_at <= ${at} order by check_at limit ${limit} for update skip locked))`,
        )
        .returningAll()
        .execute();
      return rows.map((row) => toClaimed(row, cipher));
    },

    async find(teamId: string): Promise<ClaimedInstallation | undefined> {
      const row = await db
        .selectFrom('installation')
        .selectAll()
        .where('team_id', '=', teamId)
        .executeTakeFirst();
      return row && toClaimed(row, cipher);
    },

    /** Slack accepts the token, so whatever was reported is about an earlier installation. */
    recordWorking: async (checked: ClaimedInstallation, nextAt: Date): Promise<void> => {
      await change(checked)
        .set({ token_refused_since: null, uninstall_reported_at: null, check_at: nextAt })
        .execute();
    },

    recordRefusal: async (checked: ClaimedInstallation, at: Date, nextAt: Date): Promise<void> => {
      await change(checked).set({ token_refused_since: at, check_at: nextAt }).execute();
    },

    checkLater: async (checked: ClaimedInstallation, nextAt: Date): Promise<void> => {
      await change(checked).set({ check_at: nextAt }).execute();
    },

    /**
     * Deletes the tokens and ends waiting work, so that nothing more starts for the workspace, or for the
     * workspaces of the organization. Resolves to false if the installation has changed since it was read.
     */
    end: (checked: ClaimedInstallation, at: Date): Promise<boolean> =>
      db.transaction().execute(async (trx) => {
        const { id, version, teamId, organizationId } = checked;
        const { numUpdatedRows } = await trx
          .updateTable('installation')
          .set((eb) => ({
            state: 'uninstalling',
            uninstalled_at: at,
            check_at: at,
            bot_token_sealed: null,
            refresh_token_sealed: null,
            version: eb('version', '+', 1),
          }))
          .where('id', '=', id)
          .where('version', '=', version)
          .where('state', '<>', 'uninstalling')
          .executeTakeFirst();
        if (numUpdatedRows === 0n) return false;
        const workspaces = organizationId ? await endOrganization(trx, organizationId, at) : [];
        for (const ended of [teamId, ...workspaces]) {
          for (const stop of handlers.stop) await stop(trx, { teamId: ended, at });
          await handlers.append(trx, { teamId: ended, at, event: 'uninstalled' });
        }
        return true;
      }),

    /**
     * Deletes the workspace's data, and extends the claim with each step. `done` only if there was
     * nothing to delete; otherwise processes that were working for the workspace may have stored more.
     */
    async purge(
      { id, teamId }: Pick<ClaimedInstallation, 'id' | 'teamId'>,
      claim: () => { at: Date; until: Date },
    ): Promise<PurgeProgress> {
      const purgeOnce = (purge: PurgeTeam): Promise<PurgeProgress> =>
        db.transaction().execute(async (trx) => {
          const { at, until } = claim();
          // Locked until this commits, so that what is deleted can't belong to a new installation.
          const { numUpdatedRows } = await trx
            .updateTable('installation')
            .set({ check_at: until })
            .where('id', '=', id)
            .where('state', '=', 'uninstalling')
            .executeTakeFirstOrThrow();
          return numUpdatedRows > 0n ? purge(trx, { teamId, at }) : 'done';
        });
      const results = new Set<PurgeProgress>();
      for (const purge of handlers.purge) {
        let progress: PurgeProgress;
        do {
          progress = await purgeOnce(purge);
          results.add(progress);
        } while (progress === 'more');
      }
      if (results.has('waiting')) return 'waiting';
      return results.has('more') ? 'more' : 'done';
    },

    async purgeLater({ id }: Pick<ClaimedInstallation, 'id'>, nextAt: Date): Promise<void> {
      await db.updateTable('installation').set({ check_at: nextAt }).where('id', '=', id).execute();
    },

    /** Deletes the installation itself, once nothing else of the workspace is left. */
    async remove({ id }: Pick<ClaimedInstallation, 'id'>): Promise<void> {
      await db
        .deleteFrom('installation')
        .where('id', '=', id)
        .where('state', '=', 'uninstalling')
        .execute();
    },
  };
}

function toClaimed(row: Selectable<InstallationTable>, cipher: TokenCipher): ClaimedInstallation {
  return {
    id: row.id,
    teamId: row.team_id,
    version: row.version,
    state: row.state,
    organizationId: organizationOf(row),
    botToken: openToken(cipher, 'bot', row),
    isRotating: row.refresh_token_sealed !== null,
    reportedAt: row.uninstall_reported_at ?? undefined,
    refusedSince: row.token_refused_since ?? undefined,
    uninstalledAt: row.uninstalled_at ?? undefined,
  };
}

/**
 * Ends Belay in every workspace that used an organization's installation, including workspaces that were
 * removed from it earlier. Each gets an installation row in state `uninstalling`, which deletes its data
 * like that of any workspace. A workspace with a working installation of its own isn't affected. Runs in
 * the transaction that ends the organization's installation; resolves to the ids of the workspaces.
 */
export async function endOrganization(
  trx: Transaction<Tables>,
  organizationId: string,
  at: Date,
): Promise<string[]> {
  const { rows } = await sql<{ team_id: string }>`
    insert into installation (id, team_id, enterprise_id, app_id, state, installed_by, installed_at,
      uninstalled_at, check_at)
    select gen_random_uuid(), member.team_id, member.enterprise_id, whole.app_id, 'uninstalling',
      whole.installed_by, whole.installed_at, ${at}::timestamptz, ${at}::timestamptz
    from organization_workspace member
    join installation whole on whole.team_id = member.enterprise_id
    where member.enterprise_id = ${organizationId}
    on conflict (team_id) do update set state = 'uninstalling', version = installation.version + 1,
      bot_token_sealed = null, refresh_token_sealed = null,
      uninstalled_at = excluded.uninstalled_at, check_at = excluded.check_at
      where installation.state = 'reinstall_needed'
    returning team_id`.execute(trx);
  await trx
    .deleteFrom('organization_workspace')
    .where('enterprise_id', '=', organizationId)
    .execute();
  return rows.map(({ team_id: teamId }) => teamId);
}
