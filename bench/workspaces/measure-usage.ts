import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { processorMs, processorMsWithChildren } from '../processor-time.ts';
import { readStatements } from '../replicas/record-statements.ts';
import type { ManyWorkspaces } from './open-workspaces.ts';

/** What the replicas used: BEGIN and COMMIT are statements too. */
export type Usage = {
  seconds: number;
  statements: number;
  /** Processor time of all replicas. */
  replicaMs: number;
  /** Processor time of the PostgreSQL server, which serves only them. */
  postgresMs: number;
};

/** Runs `work` and measures what the replicas and PostgreSQL used meanwhile. */
export async function measureUsage<T>(
  many: Pick<ManyWorkspaces, 'db' | 'replicas'>,
  work: () => Promise<T>,
): Promise<{ usage: Usage; result: T }> {
  const postmaster = await findPostmaster(many);
  const before = await read();
  const result = await work();
  const after = await read();
  return {
    result,
    usage: {
      seconds: (after.at - before.at) / 1000,
      statements: after.statements - before.statements,
      replicaMs: after.replicaMs - before.replicaMs,
      postgresMs: after.postgresMs - before.postgresMs,
    },
  };

  async function read() {
    const seen = await readStatements(many.db);
    return {
      at: performance.now(),
      statements: seen.reduce((sum, { calls }) => sum + calls, 0),
      replicaMs: many.replicas.reduce((sum, { pid }) => sum + processorMs(pid), 0),
      postgresMs: processorMsWithChildren(postmaster),
    };
  }
}

/** The parent of the process that serves this program's connection. It runs on this machine. */
async function findPostmaster({ db }: Pick<ManyWorkspaces, 'db'>): Promise<number> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
  const status = readFileSync(`/proc/${rows[0]?.pid}/status`, 'utf8');
  return Number(/^PPid:\s+(\d+)/m.exec(status)?.[1]);
}
