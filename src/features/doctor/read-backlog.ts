import { countEntries } from '../../audit-log/read-chain.ts';
import { type Clock, type MonotonicClock, monotonicClock } from '../../clock.ts';
import type { ServedTeams } from '../../database/served-teams.ts';
import type { Database } from '../../database/tables.ts';
import type { Backlog } from '../../health/metrics.ts';
import { readOutboxBacklog } from '../../postings/outbox/store/read-backlog.ts';
import { listReplicas } from '../../replicas/replicas.ts';
import { readRequestBacklog } from '../../requests/store/read-request-backlog.ts';
import { readOldestDueDigest } from '../digests/index.ts';
import { readInstallationBacklog } from '../installations/index.ts';
import { readOldestDuePoll } from '../watches/index.ts';

/**
 * What waits on this database, in all workspaces that are served. Queries run one after the other,
 * because the result isn't urgent.
 */
export async function readBacklog(
  db: Database,
  now: Date,
  isServed: ServedTeams,
): Promise<Backlog> {
  const requests = await readRequestBacklog(db, now, isServed);
  const outbox = await readOutboxBacklog(db, now, isServed);
  const installations = await readInstallationBacklog(db, now, isServed);
  return {
    requests: requests.byState,
    installations: installations.byState,
    oldestDueAt: {
      request: requests.oldestDueAt,
      poll: await readOldestDuePoll(db, now, isServed),
      digest: await readOldestDueDigest(db, now, isServed),
      delivery: outbox.oldestDueAt,
      token: installations.oldestDueAt,
    },
    outbox,
    auditEntries: await countEntries(db),
    replicas: (await listReplicas(db, now)).filter(({ isLive }) => isLive).length,
  };
}

const cacheMs = 10_000;
const timeoutMs = 2000;

/**
 * Returns a reader for frequent scrapes: a result is used again for 10 s, and a database that does
 * not answer within 2 s gives undefined. Queries that hang are not repeated meanwhile.
 */
export function createBacklogReader(
  db: Database,
  clock: Clock,
  isServed: ServedTeams,
  now: MonotonicClock = monotonicClock,
): () => Promise<Backlog | undefined> {
  let latest: { at: number; result: Promise<Backlog | undefined> } | undefined;
  let isReading = false;

  return () => {
    const at = now();
    if (!latest || (!isReading && at - latest.at >= cacheMs)) {
      isReading = true;
      const result = readBacklog(db, clock(), isServed)
        .catch(() => undefined)
        .finally(() => {
          isReading = false;
        });
      latest = { at, result };
    }
    const { promise: timedOut, resolve } = Promise.withResolvers<undefined>();
    const timer = setTimeout(() => resolve(undefined), timeoutMs);
    return Promise.race([latest.result, timedOut]).finally(() => clearTimeout(timer));
  };
}
