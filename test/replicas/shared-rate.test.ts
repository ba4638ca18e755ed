import { describe, expect, it, onTestFinished } from 'vitest';
import { startReferenceService } from '../../playground/service/start-service.ts';
import { systemClock } from '../../src/clock.ts';
import type { Database } from '../../src/database/tables.ts';
import { createServiceClient, createTransport } from '../../src/dataprotection/client.ts';
import type { ServiceConnection } from '../../src/dataprotection/connection.ts';
import { createLimiters } from '../../src/dataprotection/http/limiter.ts';
import { listUsers } from '../../src/dataprotection/resources/users.ts';
import { expiryMs, joinReplicas, listReplicas, noticeMs } from '../../src/replicas/replicas.ts';
import { databases, openAnyDatabase } from '../support/databases.ts';
import { startWorld } from '../support/world.ts';

const requestsPerSecond = 30;

async function startService() {
  const service = await startReferenceService();
  onTestFinished(() => service.close());
  const [portal] = service.portals;
  if (!portal) throw new Error('the reference service has no portal');
  const { baseUrl, token } = portal;
  return {
    service,
    connection: { baseUrl, token, dialect: 'documented' as const, requestsPerSecond },
  };
}

/** A clock that runs, and that can be moved. */
function movableClock() {
  let movedMs = 0;
  return {
    clock: () => new Date(Date.now() + movedMs),
    move(ms: number) {
      movedMs += ms;
    },
  };
}

async function startReplica(db: Database, id: string, clock = systemClock) {
  const replicas = await joinReplicas(db, { id, version: '1.0.0', clock });
  const transport = createTransport({ limiters: createLimiters({ shareOf: replicas.shareOf }) });
  onTestFinished(() => transport.dispatcher.close());
  return { ...replicas, transport };
}

/** The largest number of these times within any second; on a busy machine they are a little late. */
function maxPerSecond(times: number[]): number {
  const windowMs = 900;
  return Math.max(
    ...times.map((start) => times.filter((at) => at >= start && at < start + windowMs).length),
  );
}

type Replica = Awaited<ReturnType<typeof startReplica>>;

/** Reads the users from each replica at once, 20 times; when each request was sent. */
async function readUsers(replicas: Replica[], connection: ServiceConnection) {
  const sent: number[] = [];
  const calls = replicas.flatMap(({ transport }) => {
    const client = createServiceClient(connection, {
      ...transport,
      onExchange: ({ ms }) => sent.push(performance.now() - ms),
    });
    return Array.from({ length: 20 }, () => listUsers(client).next());
  });
  await Promise.all(calls);
  return sent;
}

describe.each(databases())('three replicas on $name', ({ open }) => {
  const stage = async () => {
    const { db, close } = await open();
    onTestFinished(close);
    const { clock, move } = movableClock();
    const replicas: Replica[] = [];
    for (const id of ['a', 'b', 'c']) replicas.push(await startReplica(db, id, clock));
    const beatAll = () => Promise.all(replicas.map(({ beat }) => beat()));
    const shares = () => replicas.map(({ shareOf }) => shareOf(requestsPerSecond));
    move(noticeMs);
    await beatAll();
    return { db, clock, move, replicas, shares, beatAll };
  };

  it('send the service no more than the rate of the region together', async () => {
    const { replicas } = await stage();
    const { service, connection } = await startService();
    expect(maxPerSecond(await readUsers(replicas, connection))).toBeLessThanOrEqual(
      requestsPerSecond,
    );
    expect(service.requests).toHaveLength(60);
  });

  it('divide the rate, and again when one stops or disappears', async () => {
    const { replicas, shares, beatAll, move, db, clock } = await stage();
    const [first, second, third] = replicas;
    expect(shares()).toEqual([9, 9, 9]);
    await third?.leave();
    await first?.beat();
    await second?.beat();
    expect(shares()).toEqual([13.5, 13.5, 9]);
    move(expiryMs - 3000);
    await first?.beat();
    expect(shares()[0]).toBe(13.5);
    move(3000);
    await first?.beat();
    expect(shares()[0]).toBe(30);
    expect(await listReplicas(db, clock())).toMatchObject([
      { id: 'a', isLive: true, version: '1.0.0' },
      { id: 'b', isLive: false },
    ]);
    await beatAll();
  });

  it('divide the rate as before soon after their clock was set back', async () => {
    const { shares, beatAll, move } = await stage();
    move(-3_600_000);
    await beatAll();
    move(noticeMs);
    await beatAll();
    expect(shares()).toEqual([9, 9, 9]);
  });

  it('give a new one a small share, and its full one when the others have counted it', async () => {
    const { db, clock, move, replicas, shares, beatAll } = await stage();
    const fourth = await startReplica(db, 'd', clock);
    expect(fourth.shareOf(requestsPerSecond)).toBe(3);
    await beatAll();
    expect(shares()).toEqual([6.75, 6.75, 6.75]);
    move(noticeMs);
    await fourth.beat();
    expect(fourth.shareOf(requestsPerSecond)).toBe(6.75);
    expect(replicas).toHaveLength(3);
  });

  it('keep one that was frozen from using the share that the others have taken', async () => {
    const { move, replicas, shares } = await stage();
    const [first, second, frozen] = replicas;
    move(expiryMs);
    await first?.beat();
    await second?.beat();
    // The others' first count was late too, so they wait until everyone has counted them.
    move(noticeMs);
    await first?.beat();
    await second?.beat();
    expect(shares()).toEqual([13.5, 13.5, 1]);
    await frozen?.beat();
    expect(shares()[2]).toBe(3);
    await first?.beat();
    await second?.beat();
    move(noticeMs);
    expect(shares()).toEqual([9, 9, 9]);
  });
});

it('gives a single process the whole rate at once', async () => {
  const { db, close } = await openAnyDatabase();
  onTestFinished(close);
  const { shareOf } = await startReplica(db, 'a');
  expect(shareOf(requestsPerSecond)).toBe(requestsPerSecond);
});

it('registers a running Belay, and removes it when it stops', async () => {
  const { db, isEmbedded, close } = await openAnyDatabase();
  onTestFinished(close);
  const world = await startWorld({
    isSetUp: false,
    openDatabase: async () => ({ db, isEmbedded, close: async () => undefined }),
  });
  expect(await listReplicas(db, new Date())).toMatchObject([{ isLive: true }]);
  await world.belay.stop();
  expect(await listReplicas(db, new Date())).toEqual([]);
});
