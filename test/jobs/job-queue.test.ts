import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { OpenDatabase } from '../../src/database/open-database.ts';
import { type Job, type JobQueue, openJobQueue, type Worker } from '../../src/jobs/job-queue.ts';
import { createLogger } from '../../src/logger.ts';
import { databases } from '../support/databases.ts';

const silent = createLogger('silent');

describe.each(databases())('the job queue on $name', ({ open }) => {
  let database: OpenDatabase;
  let queues: JobQueue[];
  let name: string;
  beforeAll(async () => {
    database = await open();
  });
  beforeEach(() => {
    queues = [];
    name = `letters-${randomUUID()}`;
  });
  afterEach(async () => {
    for (const queue of queues) await queue.stop();
  });
  afterAll(() => database.close());

  /** A queue like that of each process. */
  async function openQueue(worker?: Worker, log = silent): Promise<JobQueue> {
    const queue = await openJobQueue(database.shared, { log });
    queues.push(queue);
    if (worker) await queue.work({ [name]: worker });
    return queue;
  }

  const enqueue = ({ enqueue: add }: JobQueue, job: Partial<Job> = {}) =>
    database.db
      .transaction()
      .execute((trx) => add(trx, { queue: name, data: { id: randomUUID() }, ...job }));

  /** Records the jobs that it gets, and lets a test wait for a number of them. */
  function reader() {
    const read: unknown[] = [];
    const waiting = new Set<() => void>();
    const worker: Worker = async (data) => {
      read.push(data);
      for (const look of waiting) look();
    };
    const hasRead = (count: number) =>
      new Promise<void>((resolve) => {
        const look = () => {
          if (read.length >= count) resolve();
        };
        waiting.add(look);
        look();
      });
    return { read, worker, hasRead };
  }

  test('runs a job after its transaction commits, and none that was rolled back', async () => {
    const { read, worker, hasRead } = reader();
    const queue = await openQueue(worker);
    const given = database.db.transaction().execute(async (trx) => {
      await queue.enqueue(trx, { queue: name, data: { id: 'never' } });
      throw new Error('rolled back');
    });
    await expect(given).rejects.toThrow('rolled back');
    await enqueue(queue, { data: { id: 'first' } });
    await hasRead(1);
    await enqueue(queue, { data: { id: 'second' } });
    await hasRead(2);
    expect(read).toEqual([{ id: 'first' }, { id: 'second' }]);
  });

  test('runs a job that waited for a process that knows its queue', async () => {
    const first = await openQueue(async () => undefined);
    await first.stop();
    queues = [];
    const { worker, hasRead, read } = reader();
    const older = await openQueue();
    await older.work({ [`${name}-older`]: worker });
    await enqueue(older, { data: { id: 'left behind' } });
    const newer = await openQueue();
    await newer.work({ [name]: worker });
    await hasRead(1);
    expect(read).toEqual([{ id: 'left behind' }]);
  });

  test('logs and retries a job that failed, without affecting others', async () => {
    const logged: string[] = [];
    const log = createLogger('error', { write: (line) => void logged.push(line) });
    const { read, worker, hasRead } = reader();
    let failures = 0;
    const queue = await openQueue(async (data) => {
      const isBad = JSON.stringify(data).includes('bad');
      if (isBad && failures === 0) {
        failures += 1;
        throw new Error('the service is away');
      }
      await worker(data);
    }, log);
    await enqueue(queue, { data: { id: 'bad' } });
    await enqueue(queue, { data: { id: 'good' } });
    await hasRead(2);
    expect(new Set(read.map((one) => JSON.stringify(one)))).toEqual(
      new Set(['{"id":"bad"}', '{"id":"good"}']),
    );
    expect(logged).toHaveLength(1);
    expect(logged[0]).toContain('a job failed and will be tried again');
  });

  test('runs a delayed job no earlier than its time', async () => {
    const { read, worker, hasRead } = reader();
    const queue = await openQueue(worker);
    const since = Date.now();
    await enqueue(queue, { data: { id: 'later' }, afterMs: 1500 });
    await enqueue(queue, { data: { id: 'now' } });
    await enqueue(queue, { data: { id: 'overdue' }, afterMs: -60_000 });
    await hasRead(2);
    expect(read).not.toContainEqual({ id: 'later' });
    await hasRead(3);
    expect(Date.now() - since).toBeGreaterThanOrEqual(1500);
  });

  test('distributes jobs over several processes, each job to one', async () => {
    const { read, worker, hasRead } = reader();
    const taking = new Set<string>();
    const { promise: areBothAtIt, resolve: bothAreAtIt } = Promise.withResolvers<void>();
    const [queue] = await Promise.all(
      ['one', 'two'].map((process) =>
        openQueue(async (data) => {
          taking.add(process);
          if (taking.size === 2) bothAreAtIt();
          // One process can't run all of them at once.
          await areBothAtIt;
          await worker(data);
        }),
      ),
    );
    if (!queue) throw new Error('no queue');
    for (let id = 0; id < 60; id += 1) await enqueue(queue, { data: { id: `${id}` } });
    await hasRead(60);
    expect(new Set(read.map((one) => JSON.stringify(one))).size).toBe(60);
    expect(read).toHaveLength(60);
  });

  test('waits for running jobs when it is stopped', async () => {
    const { promise: isBegun, resolve: begin } = Promise.withResolvers<void>();
    const { promise: isLetGo, resolve: letGo } = Promise.withResolvers<void>();
    let isDone = false;
    const queue = await openQueue(async () => {
      begin();
      await isLetGo;
      isDone = true;
    });
    await enqueue(queue);
    await isBegun;
    let isStopped = false;
    const stopping = queue.stop().then(() => {
      isStopped = true;
    });
    queues = [];
    // One query, during which a queue that does not wait would close.
    await database.db.selectFrom('approval').select('id').execute();
    expect(isStopped).toBe(false);
    letGo();
    await stopping;
    expect(isDone).toBe(true);
  });
});
