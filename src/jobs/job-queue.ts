import {
  fromKysely,
  fromPglite,
  type KyselyTransactionLike,
  type PGliteLike,
  PgBoss,
} from 'pg-boss';
import type { Logger } from '../logger.ts';

/** Where the jobs are kept: in the database whose transactions they belong to. */
export type JobsDatabase = { connectionString: string } | { pglite: PGliteLike };

export type Job = {
  queue: string;
  data: Record<string, string>;
  /** Not before this time has passed. */
  afterMs?: number;
};

/** What a queue does with a job. It may be called twice for one, and must then change nothing. */
export type Worker = (data: unknown) => Promise<void>;

export type JobQueue = {
  /** Commits with the transaction, or not at all. */
  enqueue: (trx: KyselyTransactionLike, job: Job) => Promise<void>;
  /** Begins to work. Jobs of a process that died meanwhile are done here. */
  work: (workers: Record<string, Worker>) => Promise<void>;
  /** Waits for the jobs under way; asked again, it waits for the same. */
  stop: () => Promise<void>;
};

const queueOptions = {
  notify: true,
  retryLimit: 12,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 300,
  // Shorter than any job that hangs, longer than any that works.
  expireInSeconds: 90,
  // Without a sign of life for so long, the process has died and another does its jobs.
  heartbeatSeconds: 10,
  deleteAfterSeconds: 3600,
};

/** Durable jobs, run at least once, by any of the processes on the same database. */
export async function openJobQueue(
  database: JobsDatabase,
  { log }: { log: Logger },
): Promise<JobQueue> {
  const boss = new PgBoss({
    ...('pglite' in database
      ? { db: fromPglite(database.pglite), backend: 'pglite' as const }
      : { connectionString: database.connectionString, max: 4 }),
    useListenNotify: true,
    schedule: false,
  });
  boss.on('error', (error) => log.error({ err: error }, 'the job queue failed'));
  await boss.start();
  let stopping: Promise<void> | undefined;

  return {
    async enqueue(trx, { queue, data, afterMs = 0 }) {
      const startAfter = Math.ceil(Math.max(0, afterMs) / 1000);
      await boss.send(queue, data, { db: fromKysely(trx), ...(startAfter && { startAfter }) });
    },

    async work(workers) {
      for (const [queue, worker] of Object.entries(workers)) {
        await boss.createQueue(queue, queueOptions);
        await boss.work(queue, workOptions, (jobs) =>
          Promise.all(jobs.map((job) => attempt(job, worker, log))),
        );
      }
    },

    stop() {
      stopping ??= boss.stop({ graceful: true, timeout: 30_000 });
      return stopping;
    },
  };
}

const workOptions = {
  // One by one, each worker would wait a second between two jobs. A batch waits for its slowest job,
  // so there are several workers.
  batchSize: 10,
  burstWhenBatchFull: true,
  perJobResults: true,
  localConcurrency: 4,
  // A notification tells only of jobs to be done at once; those for later are polled for.
  pollingIntervalSeconds: 1,
  notifyPollingIntervalSeconds: 1,
} as const;

/** One that fails is logged and comes again; it keeps none of its batch from being done. */
async function attempt(
  { id, name, data }: { id: string; name: string; data: unknown },
  worker: Worker,
  log: Logger,
): Promise<{ id: string; status: 'completed' | 'failed' }> {
  try {
    await worker(data);
    return { id, status: 'completed' };
  } catch (error) {
    log.error({ queue: name, jobId: id, err: error }, 'a job failed and will be tried again');
    return { id, status: 'failed' };
  }
}
