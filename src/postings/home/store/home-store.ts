import { sql, type Transaction } from 'kysely';
import { isHeldBy, type Lease, leaseRows, released } from '../../../database/leases.ts';
import type { ServedTeams } from '../../../database/served-teams.ts';
import type { Database, Tables } from '../../../database/tables.ts';
import { purgeTables } from '../../../database/team-purge.ts';
import { subMilliseconds } from '../../../dates.ts';
import { reopenedBeforeMs } from '../timings.ts';

export type HomeRef = { teamId: string; slackUserId: string };

/** A Home tab that this process may publish until its lease ends. */
export type HomeClaim = HomeRef & {
  /** The person's direct messages with Belay. */
  directChannelId: string | undefined;
  holder: string;
  openedAt: Date;
  /** Whether the person waits for it. */
  isOpened: boolean;
  attempts: number;
  /** The workspace's changes so far: what is rendered from now on shows them. */
  version: number;
  shownHash: string | undefined;
  shownDigest: string | undefined;
};

/** What a Home tab shows now. `isComplete`: no part was unavailable. */
type ShownHome = {
  hash: string | undefined;
  digest: string;
  isComplete: boolean;
  nextAt: Date;
};

const maxChangedTeams = 200;

export type HomeStore = ReturnType<typeof createHomeStore>;

export function createHomeStore(db: Database, isServed: ServedTeams) {
  return {
    /** Queues the Home tab, unless the event is repeated and was handled before. If Slack shows another view than Belay's last, it is published in any case. */
    async open({
      teamId,
      slackUserId,
      directChannelId,
      shownHash = null,
      repeatedFrom,
      at,
    }: HomeRef & {
      directChannelId: string | undefined;
      shownHash?: string | null | undefined;
      repeatedFrom?: Date | undefined;
      at: Date;
    }): Promise<void> {
      await db
        .insertInto('home_team')
        .values({ team_id: teamId })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      const direct = { direct_channel_id: directChannelId ?? null };
      const opened = { opened_at: at, next_at: at };
      await db
        .insertInto('home_tab')
        .values({
          team_id: teamId,
          slack_user_id: slackUserId,
          waiting_since: at,
          ...direct,
          ...opened,
        })
        .onConflict((conflict) =>
          conflict
            .columns(['team_id', 'slack_user_id'])
            .doUpdateSet({
              ...opened,
              attempts: 0,
              direct_channel_id: sql`coalesce(excluded.direct_channel_id, home_tab.direct_channel_id)`,
              waiting_since: sql`coalesce(home_tab.waiting_since, excluded.waiting_since)`,
              shown_hash: shownHash,
              shown_digest: sql`case when home_tab.shown_hash = ${shownHash}
                then home_tab.shown_digest end`,
            })
            .where((eb) =>
              repeatedFrom ? eb('home_tab.opened_at', '<', repeatedFrom) : eb.val(true),
            ),
        )
        .execute();
    },

    /** The Home tabs that are due: first those that people wait for. `since`: opened after this. */
    async leaseDue(
      lease: Lease,
      { since, limit }: { since: Date; limit: number },
    ): Promise<HomeClaim[]> {
      const rows = await leaseRows(db, lease, {
        table: 'home_tab',
        key: ['team_id', 'slack_user_id'],
        isServed,
        // The second line can use the indexes.
        isDue: sql`next_at <= ${lease.at}
          and (waiting_since is not null or opened_at > ${since}) and exists (
          select 1 from home_team where home_team.team_id = home_tab.team_id and case
            when waiting_since is not null then opens_from <= ${lease.at}
            else rendered_version < version and refreshes_from <= ${lease.at}
          end)`,
        orderBy: ['waiting_since', 'next_at'],
        limit,
      });
      const readVersion = async (teamId: string): Promise<[string, number]> => {
        const team = await db
          .selectFrom('home_team')
          .select('version')
          .where('team_id', '=', teamId)
          .executeTakeFirst();
        return [teamId, team?.version ?? 0];
      };
      const teamIds = [...new Set(rows.map((row) => row.team_id))];
      const versions = new Map(await Promise.all(teamIds.map(readVersion)));
      return rows.map((row) => ({
        teamId: row.team_id,
        slackUserId: row.slack_user_id,
        holder: lease.holder,
        openedAt: row.opened_at,
        isOpened: row.waiting_since !== null,
        attempts: row.attempts,
        version: versions.get(row.team_id) ?? 0,
        directChannelId: row.direct_channel_id ?? undefined,
        shownHash: row.shown_hash ?? undefined,
        shownDigest: row.shown_digest ?? undefined,
      }));
    },

    /**
     * Records what is shown. False if the lease had ended: another process may have published an older
     * or a newer state in between, so what is shown is unknown, and it is published again.
     */
    async finish(claim: HomeClaim, shown: ShownHome): Promise<boolean> {
      const { numUpdatedRows } = await held(db, claim)
        .set({
          ...released,
          // Opened again since the claim: what was rendered may be too old.
          waiting_since: sql`case when opened_at = ${claim.openedAt} then null else waiting_since end`,
          shown_hash: shown.hash ?? null,
          // If Slack showed another view by then, it isn't known whether it shows this one.
          shown_digest: sql`case when shown_hash is not distinct from ${claim.shownHash ?? null}::text
            then ${shown.digest} end`,
          attempts: 0,
          rendered_version: shown.isComplete ? claim.version : -1,
          next_at: sql`case when opened_at = ${claim.openedAt} then ${shown.nextAt} else next_at end`,
        })
        .executeTakeFirstOrThrow();
      if (numUpdatedRows > 0n) return true;
      await db
        .updateTable('home_tab')
        .set({ rendered_version: -1, shown_digest: null })
        .where((eb) => eb.and(keyOf(claim)))
        .execute();
      return false;
    },

    /** Leaves it for later; `attempts` counts the failed ones. */
    async postpone(claim: HomeClaim, { until, attempts }: { until: Date; attempts: number }) {
      await held(db, claim)
        .set({ ...released, attempts, next_at: until })
        .execute();
    },

    /** Leaves it to the next change, or the next time that the person opens it. */
    async giveUp(claim: HomeClaim): Promise<void> {
      await held(db, claim)
        .set({ ...released, attempts: 0, waiting_since: null, rendered_version: claim.version })
        .execute();
    },

    /** The person can't have a Home tab any more. */
    async forget(claim: HomeClaim): Promise<void> {
      await db
        .deleteFrom('home_tab')
        .where((eb) => eb.and(keyOf(claim)))
        .where(isHeldBy(claim.holder))
        .execute();
    },

    /** Makes the Home tabs of workspaces with changes due; the rest follow in the next call. */
    async applyChanges(): Promise<void> {
      const teams = await db
        .selectFrom('home_change')
        .select('team_id')
        .distinct()
        .where(isServed('home_change.team_id'))
        .limit(maxChangedTeams)
        .execute();
      for (const { team_id: teamId } of teams) {
        await db.transaction().execute(async (trx) => {
          // First, so that two processes don't delete the same rows in different orders.
          await trx
            .updateTable('home_team')
            .set((eb) => ({ version: eb('version', '+', 1) }))
            .where('team_id', '=', teamId)
            .execute();
          await trx.deleteFrom('home_change').where('team_id', '=', teamId).execute();
        });
      }
    },

    /** Forgets Home tabs that nobody has opened since. */
    async prune(before: Date): Promise<void> {
      await db
        .deleteFrom('home_tab')
        .where('opened_at', '<', before)
        .where(isServed('home_tab.team_id'))
        .execute();
    },
  };
}

/** Records a change that Home tabs show, in its transaction. Nothing if nobody has ever opened one. */
export async function recordHomeChange(trx: Transaction<Tables>, teamId: string): Promise<void> {
  await trx
    .insertInto('home_change')
    .columns(['team_id'])
    .expression((eb) => eb.selectFrom('home_team').select('team_id').where('team_id', '=', teamId))
    .execute();
}

/**
 * The same for new settings, which may have changed who sees what: the Home tabs that are no longer kept
 * up to date must not show what their people have lost the right to see.
 */
export async function recordSettingsChange(
  trx: Transaction<Tables>,
  { teamId, at }: { teamId: string; at: Date },
): Promise<void> {
  await trx
    .updateTable('home_tab')
    .set({ opened_at: subMilliseconds(at, reopenedBeforeMs) })
    .where('team_id', '=', teamId)
    .where('opened_at', '<', subMilliseconds(at, reopenedBeforeMs))
    .execute();
  await recordHomeChange(trx, teamId);
}

export const purgeHomes = purgeTables('home_change', 'home_tab', 'home_team');

function keyOf({ teamId, slackUserId }: HomeRef) {
  return { team_id: teamId, slack_user_id: slackUserId };
}

function held(db: Database, claim: HomeClaim) {
  return db
    .updateTable('home_tab')
    .where((eb) => eb.and(keyOf(claim)))
    .where(isHeldBy(claim.holder));
}
