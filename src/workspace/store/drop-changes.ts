import { sql, type Transaction } from 'kysely';
import { setupChangeAction } from '../../audit-log/registry.ts';
import type { ServedTeams } from '../../database/served-teams.ts';
import type { Database, Tables } from '../../database/tables.ts';
import { subDays, subHours } from '../../dates.ts';

type Trx = Transaction<Tables>;

/** The column `change` without the addresses of token owners and protected users. */
export const withoutOwners = sql<string>`change - array['tokenOwnerBefore', 'tokenOwnerAfter', 'configuration']
  #- '{before,access,protectedUsers}' #- '{after,access,protectedUsers}'`;

/** How long an admin has to confirm a change. */
const confirmableHours = 1;
const retentionDays = 2;

/** Wipes token and addresses of all other changes that wait: none can be saved after this one. */
export async function wipeOutdated(
  trx: Trx,
  { teamId, savedFromViewId }: { teamId: string; savedFromViewId: string },
): Promise<void> {
  await trx
    .updateTable('setup_change')
    .set({ token_sealed: null, tenant: null, change: withoutOwners })
    .where('team_id', '=', teamId)
    .where('saved_at', 'is', null)
    .where(sql<string>`id::text`, '<>', savedFromViewId)
    .execute();
}

/** Deletes the change whose request has ended without saving it. Runs in the transaction that ends it. */
export async function dropEndedChange(
  trx: Trx,
  {
    teamId,
    action,
    runs: [run],
  }: { teamId: string; action: string; runs: { subjectId: string }[] },
): Promise<void> {
  if (action !== setupChangeAction || !run) return;
  await trx
    .deleteFrom('setup_change')
    .where('team_id', '=', teamId)
    .where('id', '=', run.subjectId)
    .where('saved_at', 'is', null)
    .execute();
}

/** Erases the addresses in the team's saved changes. Runs in the transaction that erases entries. */
export async function eraseSetupChanges(trx: Trx, { teamId }: { teamId: string }): Promise<void> {
  await trx
    .updateTable('setup_change')
    .set({ change: withoutOwners })
    .where('team_id', '=', teamId)
    .where('saved_at', 'is not', null)
    .execute();
}

/** Deletes what nobody confirmed in time, and everything old but for what is still to be announced. */
export async function pruneSetupChanges(
  db: Database,
  { now, isServed }: { now: Date; isServed: ServedTeams },
): Promise<void> {
  await db
    .deleteFrom('setup_change')
    .where('announce_at', 'is', null)
    .where(isServed('setup_change.team_id'))
    .where('created_at', '<', subDays(now, retentionDays))
    .execute();
  await db
    .deleteFrom('setup_change')
    .where('saved_at', 'is', null)
    .where(isServed('setup_change.team_id'))
    .where('created_at', '<', subHours(now, confirmableHours))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('run')
            .select('run.id')
            .whereRef('run.team_id', '=', 'setup_change.team_id')
            .where('run.subject_id', '=', sql<string>`setup_change.id::text`),
        ),
      ),
    )
    .execute();
}
