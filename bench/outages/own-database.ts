import { exec } from 'node:child_process';
import { promisify } from 'node:util';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Database, Tables } from '../../src/database/tables.ts';
import { waitFor } from '../replicas/wait-for.ts';

type OwnDatabase = {
  /** The connection of the program itself, which no outage reaches: it waits while the server restarts. */
  db: Database;
  /** Restarts the server. Resolves when it accepts connections again. */
  restartServer: () => Promise<void>;
  close: () => Promise<void>;
};

/** @param restartCommand for sh; scripts/with-postgres.sh sets it as TEST_DATABASE_RESTART. */
export function openOwnDatabase(url: string, restartCommand: string): OwnDatabase {
  const pool = new pg.Pool({ connectionString: url, max: 5 });
  pool.on('error', () => undefined);
  let restarted = Promise.resolve();
  const gated = {
    async connect() {
      await restarted;
      return pool.connect();
    },
    end: () => pool.end(),
    options: pool.options,
  };

  async function restart(): Promise<void> {
    const isIdle = () => pool.idleCount === pool.totalCount;
    if (!(await waitFor(isIdle, { forMs: 10_000, everyMs: 10 }))) {
      throw new Error('the queries of the program itself do not end');
    }
    await promisify(exec)(restartCommand);
  }

  return {
    db: new Kysely<Tables>({ dialect: new PostgresDialect({ pool: gated }) }),
    async restartServer() {
      const restarting = restart();
      restarted = restarting.catch(() => undefined);
      await restarting;
    },
    close: () => pool.end(),
  };
}
