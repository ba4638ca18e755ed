import { sql, type Transaction } from 'kysely';
import type { Tables } from '../tables.ts';

/** A table as the database's catalog describes it. */
export type TableShape = {
  name: string;
  /** `type` as SQL has it, such as `timestamp(3) with time zone`. */
  columns: { name: string; type: string; isIdentity: boolean }[];
  primaryKey: string[];
  /** Other tables that its foreign keys refer to. */
  references: string[];
};

/**
 * Every table of Belay, each after those that it refers to. Read from the catalog, so that no table
 * can be forgotten, whatever the version of the schema.
 */
export async function listTables(trx: Transaction<Tables>): Promise<TableShape[]> {
  const { rows } = await sql<TableShape>`
    select relname as name,
      (select json_agg(json_build_object('name', attname, 'isIdentity', attidentity <> '',
            'type', format_type(atttypid, atttypmod)) order by attnum)
        from pg_attribute
        where attrelid = pg_class.oid and attnum > 0 and not attisdropped) as columns,
      (select json_agg(attname order by array_position(conkey, attnum))
        from pg_constraint join pg_attribute on attrelid = conrelid and attnum = any (conkey)
        where conrelid = pg_class.oid and contype = 'p') as "primaryKey",
      (select coalesce(json_agg(distinct target.relname), '[]')
        from pg_constraint join pg_class as target on target.oid = confrelid
        where conrelid = pg_class.oid and contype = 'f' and confrelid <> conrelid) as references
    from pg_class
    where relnamespace = current_schema()::text::regnamespace and relkind = 'r'
      and relname <> 'schema_migration'
    order by relname`.execute(trx);
  return inOrder(rows);
}

function inOrder(tables: TableShape[]): TableShape[] {
  const placed: TableShape[] = [];
  const isPlaced = (name: string) => placed.some((table) => table.name === name);
  while (placed.length < tables.length) {
    const next = tables.find(
      ({ name, references }) => !isPlaced(name) && references.every(isPlaced),
    );
    if (!next) throw new Error('tables refer to each other in a cycle');
    placed.push(next);
  }
  return placed;
}
