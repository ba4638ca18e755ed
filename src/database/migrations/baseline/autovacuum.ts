import { sql } from 'kysely';

/*
 * By default, a table is vacuumed once a fifth of its rows is dead. That is too late where the same few
 * rows are updated all the time, and too rare for a large table in which only the newest rows are due.
 */

/** For a few rows that are updated, or inserted and deleted, all the time. */
export const forFewRows = sql`autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500`;

/** For many rows, of which the newest are updated often. */
export const forManyRows = sql`
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02`;

/** For rows that are never updated: frequent vacuums keep index-only scans fast. */
export const forInsertedRows = sql`autovacuum_vacuum_insert_scale_factor = 0.02`;
