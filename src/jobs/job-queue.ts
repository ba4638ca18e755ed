import {
  fromKysely,
  fromPglite,
  type KyselyTransactionLike,
  type PGliteLike,
  PgBoss,
} from 'pg-boss';
import { z } from 'zod';
import { createFailureLog, type Logger } from '../logger.ts';
import { continueTrace, currentTraceparent, setFailed } from '../tracing.ts';

/**
 * The database in whose transactions jobs are enqueued, with further settings for its connections, of
 * which there are at most `max` and one that listens for new jobs.
 */
type JobsDatabase = { connectionString: string; max: number } | { pglite: PGliteLike };

export type Job = {
  queue: string;
  data: Record<string, string>;
  /** Delay before the first run. */
  afterMs?: number;
};

/** Runs a job. May be called more than once for a job, so it must be idempotent. */
export type Worker = (data: unknown) => Promise<void>;

export type JobQueue = {
  /** Enqueues in the transaction: the job exists only if that commits. */
  enqueue: (trx: KyselyTransactionLike, job: Job) => Promise<void>;
  /** Starts one worker for each queue, by queue name; also takes over jobs of processes that died. */
  work: (workers: Record<string, Worker>) => Promise<void>;
  /**
   * Waits for the running jobs, or until the time is over: other processes then take them over, or
   * this one after its restart. Idempotent.
   */
  stop: (timeoutMs?: number) => Promise<void>;
};

const queueOptions = {
  notify: true,
  retryLimit: 12,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 300,
  // Longer than any job takes, so that only a job that hangs is started again.
  expireInSeconds: 90,
  // A process without a heartbeat for so long counts as dead, and others take over its jobs.
  heartbeatSeconds: 10,
  deleteAfterSeconds: 3600,
};

/** Durable jobs on pg-boss, run at least once by any process on the same database. */
export async function openJobQueue(
  database: JobsDatabase,
  { log }: { log: Logger },
): Promise<JobQueue> {
  const boss = new PgBoss({
    ...('pglite' in database
      ? { db: fromPglite(database.pglite), backend: 'pglite' as const }
      : database),
    useListenNotify: true,
    schedule: false,
  });
  // In an outage each worker of each queue fails every second.
  const failures = createFailureLog(log);
  boss.on('error', (error) => failures.failed({ err: asError(error) }, 'the job queue failed'));
  await boss.start().catch(async (error: unknown) => {
    await boss.stop({ graceful: false });
    throw withRemedy(error);
  });
  let stopping: Promise<void> | undefined;

  return {
    async enqueue(trx, { queue, data, afterMs = 0 }) {
      const startAfter = Math.ceil(Math.max(0, afterMs) / 1000);
      const traceparent = currentTraceparent();
      const traced = traceparent === undefined ? data : { ...data, traceparent };
      await boss.send(queue, traced, { db: fromKysely(trx), ...(startAfter && { startAfter }) });
    },

    async work(workers) {
      for (const [queue, worker] of Object.entries(workers)) {
        await boss.createQueue(queue, queueOptions);
        for (const options of [finder, others]) {
          await boss.work(queue, { ...workOptions, ...options }, (jobs) =>
            Promise.all(jobs.map((job) => attempt(job, worker, log))),
          );
        }
      }
    },

    stop(timeoutMs = 10_000) {
      // After the time pg-boss still has to hand over the jobs and to close its connections.
      stopping ??= boss.stop({ graceful: true, timeout: timeoutMs - handoverMs });
      return stopping;
    },
  };
}

/** A role with too few privileges (SQLSTATE 42501) can't create or upgrade the schema of the queue. */
function withRemedy(error: unknown): unknown {
  if (!(error instanceof Error && 'code' in error && error.code === '42501')) return error;
  return new Error(
    `DATABASE_URL: can't open the job queue: ${error.message}. Run \`npm run -s admin -- migrate\` with the DATABASE_URL of the owner`,
    { cause: error },
  );
}

/** pg-boss reports the failures of its workers as plain objects. */
function asError(reported: { message: string; stack?: string }): Error {
  if (reported instanceof Error) return reported;
  return Object.assign(new Error(reported.message), { stack: reported.stack });
}

const handoverMs = 1000;

const workOptions = {
  // Single jobs would be a second apart for each worker. A batch waits for its slowest job, so there
  // are several workers.
  batchSize: 10,
  burstWhenBatchFull: true,
  perJobResults: true,
} as const;

/** Notifications come for immediate jobs only; delayed ones are found by polling. */
const pollEvery = (seconds: number) => ({
  pollingIntervalSeconds: seconds,
  notifyPollingIntervalSeconds: seconds,
});

const finder = { localConcurrency: 1, ...pollEvery(1) };

/** They find delayed jobs while the finder waits for a slow one. */
const others = { localConcurrency: 3, ...pollEvery(5) };

/** The trace that a job belongs to, beside the data of its worker. */
const tracedData = z.object({ traceparent: z.string().optional() }).catch({});

/** A job that fails is logged and retried; it does not affect the others of its batch. */
async function attempt(
  { id, name, data }: { id: string; name: string; data: unknown },
  worker: Worker,
  log: Logger,
): Promise<{ id: string; status: 'completed' | 'failed' }> {
  const { traceparent } = tracedData.parse(data);
  return continueTrace(traceparent, `job ${name}`, async () => {
    try {
      await worker(data);
      return { id, status: 'completed' };
    } catch (error) {
      setFailed(error);
      log.error({ queue: name, jobId: id, err: error }, 'a job failed and will be tried again');
      return { id, status: 'failed' };
    }
  });
}
