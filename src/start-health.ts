import { sql } from 'kysely';
import type { Clock } from './clock.ts';
import type { ServedTeams } from './database/served-teams.ts';
import type { Database } from './database/tables.ts';
import { createBacklogReader } from './features/doctor/index.ts';
import { type HealthServer, startHealthServer } from './health/health-server.ts';
import type { Backlog, Metrics } from './health/metrics.ts';
import { createReadiness } from './health/readiness.ts';
import type { Logger } from './logger.ts';
import { version } from './version.ts';

type Health = {
  /** Undefined if no health port is configured: then nothing is measured. */
  metrics: Metrics | undefined;
  /** Undefined if no health port is configured. */
  port: number | undefined;
  /** From now on this process is ready, if the database answers and Slack's requests arrive. */
  begin: (parts: { db: Database; isServed: ServedTeams; isReceiving: () => boolean }) => void;
  /** Not ready from now on. */
  beginStop: () => void;
  close: () => Promise<void>;
};

/**
 * Starts the health port, before anything else, so that it also answers while Belay starts and stops.
 * @throws with one line for the operator when it can't listen.
 */
export async function startHealth(
  address: { host: string; port: number } | undefined,
  { clock, log }: { clock: Clock; log: Logger },
): Promise<Health> {
  const readiness = createReadiness();
  let readBacklog: () => Promise<Backlog | undefined> = async () => undefined;
  let server: HealthServer | undefined;
  let metrics: Metrics | undefined;
  if (address !== undefined) {
    const { createMetrics } = await import('./health/metrics.ts');
    const measured = createMetrics({ version });
    const readMetrics = async () => {
      const text = await measured.render(await readBacklog(), clock());
      return { contentType: measured.contentType, text };
    };
    server = await startHealthServer(address, {
      readReadiness: readiness.read,
      readMetrics,
      log,
    });
    metrics = measured;
  }
  return {
    metrics,
    port: server?.port,
    begin({ db, isServed, isReceiving }) {
      readBacklog = createBacklogReader(db, clock, isServed);
      readiness.start({
        // The database was migrated before anything else began.
        database: () => sql`select 1`.execute(db),
        async slack() {
          if (!isReceiving()) throw new Error('not connected');
        },
      });
    },
    beginStop: readiness.stop,
    close: async () => server?.stop(),
  };
}
