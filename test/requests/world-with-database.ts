import { inject } from 'vitest';
import type { PlaygroundOptions } from '../../playground/start-playground.ts';
import type { Database } from '../../src/database/tables.ts';
import { openFromTemplate } from '../support/database-template.ts';
import { shareWorld, type World } from '../support/world.ts';

/** A shared world with access to its database. */
export function shareWorldWithDatabase(options: Partial<PlaygroundOptions> = {}): {
  world: () => World;
  db: () => Database;
} {
  let opened: Database | undefined;
  const world = shareWorld({
    ...options,
    async openDatabase() {
      const database = await openFromTemplate(inject('databaseTemplate'));
      opened = database.db;
      return database;
    },
  });
  const db = () => {
    if (!opened) throw new Error('the shared world has not started yet');
    return opened;
  };
  return { world, db };
}

/** The audit log entries of the request with this message: event, actor and any reason. */
export async function logOf(db: Database, { messageTs }: { messageTs: string }): Promise<string[]> {
  const rows = await db
    .selectFrom('audit_log as entry')
    .innerJoin('approval', 'approval.id', 'entry.approval_id')
    .select(['entry.event', 'entry.actor', 'entry.facts'])
    .where('approval.message_ts', '=', messageTs)
    .orderBy('entry.seq')
    .execute();
  return rows.map(({ event, actor, facts }) =>
    [event, actor ?? 'belay', ...(facts.reason ? [facts.reason] : [])].join(' '),
  );
}

/** Voids all requests, so that none of them counts as the same change as the next one. */
export async function voidAll(db: Database): Promise<void> {
  await db.updateTable('approval').set({ state: 'voided', wake_at: null }).execute();
  await db.updateTable('run').set({ state: 'voided', wake_at: null }).execute();
}
