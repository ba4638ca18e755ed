import { sql, type Transaction } from 'kysely';
import type { Tables } from '../tables.ts';
import type { TableShape } from './catalog.ts';

const fetchSize = 200;

/** Makes both databases write a value as the same text, until the transaction ends. */
export async function fixTextForms(trx: Transaction<Tables>): Promise<void> {
  await sql`
    select set_config('timezone', 'UTC', true), set_config('datestyle', 'ISO', true),
      set_config('extra_float_digits', '1', true)`.execute(trx);
}

/**
 * The rows of a table as lines of an export, by primary key, read through a cursor. Text keeps what
 * the parsed forms of the drivers would lose: the spelling of JSON, and microseconds.
 */
export async function* readRowLines(
  trx: Transaction<Tables>,
  { name, columns, primaryKey }: TableShape,
): AsyncGenerator<string> {
  const values = sql.join(columns.map((column) => sql`${sql.ref(column.name)}::text`));
  const order = sql.join(primaryKey.map((column) => sql.ref(column)));
  await sql`
    declare exported no scroll cursor for
      select array_to_json(array[${values}])::text as line
      from ${sql.table(name)} order by ${order}`.execute(trx);
  const fetch = sql<{ line: string }>`fetch ${sql.lit(fetchSize)} from exported`;
  for (;;) {
    const { rows } = await fetch.execute(trx);
    for (const { line } of rows) yield line;
    if (rows.length < fetchSize) break;
  }
  await sql`close exported`.execute(trx);
}

/** Inserts lines that `readRowLines` wrote, with their values in the order of `columns`. */
export async function insertRowLines(
  trx: Transaction<Tables>,
  { name, columns }: TableShape,
  lines: string[],
): Promise<void> {
  const values = columns.map(
    ({ type }, index) => sql`(line ->> ${sql.lit(index)})::${sql.raw(type)}`,
  );
  await sql`
    insert into ${sql.table(name)} (${sql.join(columns.map((column) => sql.ref(column.name)))})
      overriding system value
      select ${sql.join(values)} from json_array_elements(${`[${lines.join(',')}]`}::json) as line
    `.execute(trx);
}
