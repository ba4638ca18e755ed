import type { Migration } from 'kysely/migration';
import { auditLog } from './audit-log.ts';
import { home } from './home.ts';
import { installations } from './installations.ts';
import { policies } from './policies.ts';
import { postings } from './postings.ts';
import { processes } from './processes.ts';
import { requests } from './requests.ts';
import { subscriptions } from './subscriptions.ts';
import { workspaces } from './workspaces.ts';

/** Every table, each group after those that it refers to. */
export const baseline: Migration = {
  async up(db) {
    const statements = [
      processes,
      workspaces,
      installations,
      auditLog,
      requests,
      postings,
      subscriptions,
      policies,
      home,
    ].flat();
    for (const statement of statements) await statement.execute(db);
  },
};
