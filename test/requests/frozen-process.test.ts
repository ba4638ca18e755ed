import { expect, onTestFinished, test } from 'vitest';
import { approvers, requesters } from '../../bench/replicas/people.ts';
import { readApprovals } from '../../bench/replicas/read-approvals.ts';
import { press, submitRequest } from '../../bench/replicas/send-interactions.ts';
import { startReplica } from '../../bench/replicas/start-replica.ts';
import { setUp, startTestBed } from '../../bench/replicas/test-bed.ts';
import { watchPosts } from '../../bench/replicas/watch-posts.ts';
import { openDatabase } from '../../src/database/open-database.ts';
import { messageDecisionIds } from '../../src/requests/views/ids.ts';
import { createDatabase, postgresUrl } from '../support/databases.ts';
import { patienceMs } from '../support/patience.ts';

const timings = { leaseMs: 3000, settleMs: 500, checkMs: 100 };
const patience = { timeout: patienceMs, interval: 20 };

test.runIf(postgresUrl)(
  'a process that was frozen past its lease sends nothing when it continues',
  async () => {
    const testBed = await startTestBed({ users: 10 });
    onTestFinished(() => testBed.stop());
    const { service, slack, env, folder } = testBed;
    const { url, drop } = await createDatabase(postgresUrl ?? '');
    onTestFinished(drop);
    const { db, close } = await openDatabase(url);
    onTestFinished(close);
    const start = async (name: string) => {
      const replica = await startReplica({ name, env, folder, databaseUrl: url, timings });
      onTestFinished(() => replica.kill());
      return replica;
    };
    const frozen = await start('frozen');
    await setUp(testBed, { requestUrl: frozen.requestUrl, graceMinutes: 0 });
    const posts = watchPosts(slack);
    const user = service.users(testBed.portal.id).find(({ is_enabled }) => is_enabled);
    if (!user) throw new Error('no user is enabled');
    const writes = () => service.requests.filter(({ method }) => method !== 'GET');

    await submitRequest(testBed, { requester: requesters[0] ?? '', verb: 'disable', user }, frozen);
    const post = () => posts.about(user.email).find(({ isDirect }) => !isDirect);
    await expect.poll(post, patience).toBeDefined();
    service.setFault(
      { kind: 'status', status: 429, headers: { 'retry-after': '2' } },
      { method: 'PATCH', times: 1 },
    );
    const request = post();
    if (request)
      await press(testBed, approvers[0] ?? '', request, messageDecisionIds.approve, frozen);
    await expect.poll(() => writes().length, patience).toBe(1);
    frozen.freeze();

    await start('successor');
    await expect
      .poll(async () => (await readApprovals(db)).map(({ state }) => state), patience)
      .toEqual(['completed']);
    expect(writes()).toHaveLength(2);
    frozen.resume();
    // Waits for work that is running.
    await frozen.stop();
    expect(writes()).toHaveLength(2);
  },
  60_000,
);
