import type { Migration } from 'kysely/migration';

/**
 * The second step of a change of the schema: it removes what versions before `oldest` use, such as a
 * column that was replaced. Each has a name and a number like other migrations. No other migration may
 * rely on it, because the order differs.
 */
export type ContractMigration = Migration & {
  /** The oldest version that works after it, such as `0.3.0`: the one that comes with it. */
  oldest: string;
};

export const contractMigrations: Record<string, ContractMigration> = {};
