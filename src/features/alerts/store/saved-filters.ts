import { type Selectable, sql, type Transaction } from 'kysely';
import type { Database, Tables } from '../../../database/tables.ts';
import { lockChannel } from '../../../subscriptions/store.ts';
import { alertSearchSchema, type SavedFilter } from '../alert-search.ts';
import type { AlertTables } from './tables.ts';

/** Of each person, and of each channel. */
export const maxSavedFilters = 50;

export type SavedFilters = ReturnType<typeof createSavedFilters>;

/** The searches that people gave a name. */
export function createSavedFilters(db: Database) {
  return {
    /** Those of the first owner by name, then those of the others. */
    async list(teamId: string, owners: readonly string[]): Promise<SavedFilter[]> {
      if (owners.length === 0) return [];
      const rows = await db
        .selectFrom('saved_filter')
        .selectAll()
        .where('team_id', '=', teamId)
        .where('owner', 'in', [...owners])
        .orderBy('name')
        .execute();
      const saved = rows.map(toFilter);
      return owners.flatMap((owner) => saved.filter((one) => one.owner === owner));
    },

    /**
     * Saves a filter, in place of an earlier one by the same person. `replaces` is the earlier one that
     * the person has the right to replace; `taken` if there is another by now.
     */
    async save(
      teamId: string,
      { owner, name, search, createdBy, createdAt }: SavedFilter,
      replaces: SavedFilter | undefined,
    ): Promise<'saved' | 'taken' | 'too-many'> {
      return db.transaction().execute(async (trx) => {
        await lockChannel(trx, { plural: 'saved filters' }, { teamId, channelId: owner });
        const { count } = await trx
          .selectFrom('saved_filter')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .where('team_id', '=', teamId)
          .where('owner', '=', owner)
          .where('name', '!=', name)
          .executeTakeFirstOrThrow();
        if (Number(count) >= maxSavedFilters) return 'too-many';
        const stored = JSON.stringify(search);
        const { numInsertedOrUpdatedRows = 0n } = await trx
          .insertInto('saved_filter')
          .values({
            team_id: teamId,
            owner,
            name,
            search: stored,
            created_by: createdBy,
            created_at: createdAt,
          })
          .onConflict((conflict) =>
            conflict
              .columns(['team_id', 'owner', 'name'])
              .doUpdateSet({ search: stored })
              .where('saved_filter.created_by', '=', replaces?.createdBy ?? createdBy),
          )
          .executeTakeFirstOrThrow();
        return numInsertedOrUpdatedRows > 0n ? 'saved' : 'taken';
      });
    },

    /** False if there was none. */
    remove: (teamId: string, ref: Pick<SavedFilter, 'owner' | 'name'>): Promise<boolean> =>
      removeSavedFilter(db, teamId, ref),
  };
}

/** False if there was none. */
export async function removeSavedFilter(
  db: Pick<Database, 'deleteFrom'>,
  teamId: string,
  { owner, name }: Pick<SavedFilter, 'owner' | 'name'>,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('saved_filter')
    .where('team_id', '=', teamId)
    .where('owner', '=', owner)
    .where('name', '=', name)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** Those of all channels of a workspace. */
export async function listChannelFilters(
  trx: Transaction<Tables>,
  teamId: string,
): Promise<SavedFilter[]> {
  const rows = await trx
    .selectFrom('saved_filter')
    .selectAll()
    .where('team_id', '=', teamId)
    .where(sql<boolean>`owner ~ '^[CDG]'`)
    .orderBy('owner')
    .orderBy('name')
    .execute();
  return rows.map(toFilter);
}

/**
 * Adds a filter, or replaces the one with its name, even if somebody else saved that. Undefined, with nothing
 * stored, if it `isNew` and the name is taken.
 */
export async function changeSavedFilter(
  trx: Transaction<Tables>,
  teamId: string,
  { owner, name, search, createdBy, createdAt }: SavedFilter,
  { isNew }: { isNew: boolean },
): Promise<object | undefined> {
  const changed = { search: JSON.stringify(search), created_by: createdBy };
  return trx
    .insertInto('saved_filter')
    .values({ team_id: teamId, owner, name, created_at: createdAt, ...changed })
    .onConflict((conflict) => {
      const same = conflict.columns(['team_id', 'owner', 'name']);
      return isNew ? same.doNothing() : same.doUpdateSet(changed);
    })
    .returning('name')
    .executeTakeFirst();
}

function toFilter(row: Selectable<AlertTables['saved_filter']>): SavedFilter {
  return {
    owner: row.owner,
    name: row.name,
    search: alertSearchSchema.parse(row.search),
    createdBy: row.created_by,
    createdAt: row.created_at,
  };
}
