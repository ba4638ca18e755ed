import { describe, expect, onTestFinished, test } from 'vitest';
import { openJobQueue } from '../../src/jobs/job-queue.ts';
import { createLogger } from '../../src/logger.ts';
import { postgresUrl } from '../support/databases.ts';
import { openByProxy } from '../support/open-by-proxy.ts';

describe.skipIf(!postgresUrl)('the job queue, when its database', () => {
  async function openQueue() {
    const { proxy, db, shared } = await openByProxy({ statementMs: 300, silenceMs: 400 });
    const failure = Promise.withResolvers<void>();
    const logged: string[] = [];
    const write = (line: string) => {
      logged.push(line);
      failure.resolve();
    };
    const queue = await openJobQueue(shared, { log: createLogger('error', { write }) });
    onTestFinished(() => queue.stop());
    const done = Promise.withResolvers<unknown>();
    await queue.work({ letters: async (data) => done.resolve(data) });
    const enqueue = () =>
      db
        .transaction()
        .execute((trx) => queue.enqueue(trx, { queue: 'letters', data: { id: '1' } }));
    return { proxy, enqueue, logged, failed: failure.promise, done: done.promise };
  }

  test('is silent, fails, logs one line, and continues when it answers', async () => {
    const { proxy, enqueue, logged, failed, done } = await openQueue();
    proxy.silence();
    await failed;
    proxy.restore();
    await enqueue();
    expect(await done).toEqual({ id: '1' });
    expect(logged).toHaveLength(1);
    expect(logged[0]).toMatch(/the job queue failed/);
    expect(logged[0]).toMatch(/did not answer|terminated|timed out/);
  });

  test('cuts every connection, continues with others', async () => {
    const { proxy, enqueue, done } = await openQueue();
    proxy.cut();
    await enqueue().catch(() => enqueue());
    expect(await done).toEqual({ id: '1' });
  });
});
