import { type Selectable, sql } from 'kysely';
import type { SealedValue, SealedValues } from '../encryption/sealed-values.ts';
import type { Database, Tables } from './tables.ts';

/** Tables with encrypted columns; each row has an id and a team. */
type SealedTable = 'connection' | 'setup_change' | 'token_page' | 'installation';

/** The encrypted values in one column of a table. `describe` says what a row's value is and is sealed for. */
export function sealedColumn<T extends SealedTable>(
  db: Database,
  {
    table,
    column,
    remedy,
    describe,
  }: Pick<SealedValues, 'remedy'> & {
    table: T;
    column: keyof Tables[T] & string;
    describe: (row: Selectable<Tables[T]>) => Pick<SealedValue, 'name' | 'binding'>;
  },
): SealedValues {
  const value = sql.ref<string>(column);
  return {
    table,
    remedy,
    async list({ prefix, after, limit }) {
      const { rows } = await sql<Selectable<Tables[T]> & Omit<Row, 'teamId'> & { team_id: string }>`
        select *, ${value} as sealed from ${sql.table(table)}
        where not starts_with(${value}, ${prefix})
          and (${after ?? null}::uuid is null or id > ${after ?? null}::uuid)
        order by id
        limit ${limit}`.execute(db);
      return rows.map((row) => {
        const { id, team_id: teamId, sealed } = row;
        return { id, teamId, sealed, ...describe(row) };
      });
    },
    async replace({ id, sealed: read }, sealed) {
      const { numAffectedRows = 0n } = await sql`
        update ${sql.table(table)} set ${value} = ${sealed}
        where id = ${id} and ${value} = ${read}`.execute(db);
      return numAffectedRows > 0;
    },
  };
}

type Row = Pick<SealedValue, 'id' | 'teamId' | 'sealed'>;
