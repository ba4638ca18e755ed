import type { ColumnType } from 'kysely';

/** timestamptz: read as Date, written as Date. */
export type Timestamp = ColumnType<Date, Date, Date>;

/** jsonb: read as it is, written as text. */
export type Json<T> = ColumnType<T, string, string>;
