import { Socket } from 'node:net';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { traceStatement } from './trace-statement.ts';

/** How long PostgreSQL may take. Milliseconds. */
export type PostgresLimits = {
  /** For a statement, and for a transaction between two statements. The server enforces it. */
  statementMs: number;
  /** Longer: after so long without an answer Belay gives up a server that enforces nothing. */
  silenceMs: number;
};

export const defaultLimits: PostgresLimits = { statementMs: 15_000, silenceMs: 20_000 };

/** Migrations may rewrite large tables, and other processes wait for the one that runs them. */
export const migrationLimits: PostgresLimits = { statementMs: 600_000, silenceMs: 605_000 };

/** How many connections a process opens at most (`DATABASE_POOL_SIZE`). */
export const defaultPoolSize = 10;

/** Settings of every connection to PostgreSQL. The URL's own parameters take precedence. */
type PostgresConnection = ReturnType<typeof postgresConnection>;

export function postgresConnection(url: string, { statementMs, silenceMs }: PostgresLimits) {
  return {
    connectionString: url,
    connectionTimeoutMillis: 5000,
    statement_timeout: statementMs,
    idle_in_transaction_session_timeout: statementMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    // Not `query_timeout`: it fails the statement but returns the connection to the pool, where the
    // next statement waits behind the one that is never answered.
    stream: () => socketWithTimeout(silenceMs),
  };
}

/** Idle connections don't get here: the pool closes them after 10 s. */
function socketWithTimeout(silenceMs: number): Socket {
  const socket = new Socket();
  const giveUp = () => socket.destroy(new Error(`the database did not answer for ${silenceMs} ms`));
  return socket.setTimeout(silenceMs, giveUp);
}

/** Runs statements on up to `size` connections. */
export function openPool<Tables>(connection: PostgresConnection, size: number): Kysely<Tables> {
  const pool = new pg.Pool({ ...connection, max: size });
  // An error event without a listener ends the process. The pool replaces a connection that breaks,
  // and the statement under way fails with the same error; a connection that is checked out but has
  // no statement under way is noticed by the next one.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => void client.on('error', () => undefined));
  return new Kysely({ dialect: new PostgresDialect({ pool }), log: traceStatement });
}

pg.types.setTypeParser(pg.types.builtins.INT8, Number);
