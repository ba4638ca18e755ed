import type { Migration } from 'kysely/migration';
import { baseline } from './baseline/index.ts';

/**
 * In order, never edited once released. SQL of PostgreSQL 15, which both stores speak. After the
 * baseline they only add, because processes of the previous version keep running. Removals and changes
 * are contract migrations (`contract.ts`).
 */
export const migrations: Record<string, Migration> = {
  '001_baseline': baseline,
};
