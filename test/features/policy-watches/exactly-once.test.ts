import { randomUUID } from 'node:crypto';
import { addMinutes } from 'date-fns/addMinutes';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OpenDatabase } from '../../../src/database/open-database.ts';
import { serveAll } from '../../../src/database/served-teams.ts';
import type { Database } from '../../../src/database/tables.ts';
import { createPolicyObserver } from '../../../src/features/policy-watches/observe-policies.ts';
import { createObservationStore } from '../../../src/features/policy-watches/store/observation-store.ts';
import { createPolicyWatchStore } from '../../../src/features/watches/store/policy-watch-store.ts';
import { createLogger } from '../../../src/logger.ts';
import { type EnqueueMessages, enqueueMessages } from '../../../src/postings/outbox/enqueue.ts';
import { answerJson, clientOf } from '../../dataprotection/local-server.ts';
import { insertConnection, newTeamId, noon, readOrigin } from '../../requests/store/rows.ts';
import { databases } from '../../support/databases.ts';

const policyCount = 1000;
const changeCount = 500;
const rounds = 40;
const intervalMs = 15 * 60_000;
const isReported = sql<boolean>`false`;

async function startWatch(db: Database, teamId: string) {
  return createPolicyWatchStore(db, { enqueueMessages }).start(
    { teamId, originId: await readOrigin(db, teamId), channelId: 'C1', by: 'U_ANA', at: noon },
    { max: 20 },
  );
}

describe.each(databases())('changes made elsewhere, on $name', ({ open }) => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await open();
  });
  afterAll(() => database.close());

  test('are each posted once, and none is missed, while processes are killed', async () => {
    const { db } = database;
    const teamId = newTeamId();
    const connectionId = await insertConnection(db, teamId);
    const names = Array.from({ length: policyCount }, (_, index) => `Policy ${index}`);
    const client = await clientOf((_request, response) => {
      const items = names.map((name, index) => ({ id: `p-${index}`, name, sla_sets: [] }));
      answerJson(response, { total_count: items.length, _embedded: { items } });
    });
    let dies: 'never' | 'before' | 'in the transaction' = 'never';
    const dying: EnqueueMessages = async (...given) => {
      const queued = await enqueueMessages(...given);
      if (dies === 'in the transaction') throw new Error('killed');
      return queued;
    };
    const observations = createObservationStore(db, {
      enqueueMessages: dying,
      isReported,
      isServed: serveAll,
    });
    await startWatch(db, teamId);

    let now = noon;
    const observe = async () => {
      now = addMinutes(now, 16);
      const holder = randomUUID();
      if (dies === 'before') {
        // Its lease ends by itself.
        await observations.leaseDue({ holder, at: now, until: addMinutes(now, 5) }, 1);
        return;
      }
      await createPolicyObserver({
        observations,
        clock: () => now,
        log: createLogger('silent'),
        policyIntervalMs: intervalMs,
        openService: async () => ({
          client,
          connectionId,
          originId: connectionId,
          organizationalUnitId: undefined,
          tokenOwner: undefined,
        }),
      }).finish();
    };
    await observe();
    const changed: string[] = [];
    for (let round = 0; round < rounds; round += 1) {
      for (let count = 0; count < Math.ceil(changeCount / rounds); count += 1) {
        const index = changed.length;
        if (index === changeCount) break;
        names[index] = `Renamed ${index}`;
        changed.push(`p-${index}`);
      }
      const deaths = ['before', 'never', 'in the transaction', 'never'] as const;
      dies = deaths[round % deaths.length] ?? 'never';
      await observe();
    }
    dies = 'never';
    await observe();

    const found = await db
      .selectFrom('policy_change')
      .select('policy_id')
      .where('team_id', '=', teamId)
      .execute();
    expect(found.map(({ policy_id }) => policy_id).toSorted()).toEqual(changed.toSorted());
    const queued = await db
      .selectFrom('delivery_message')
      .select('message')
      .where('team_id', '=', teamId)
      .execute();
    // Of many changes at once, the message has the first names and the number.
    const counts = queued.flatMap(({ message }) => {
      return /^:eyes: \*(\d+) policy changes outside Belay/.exec(message?.text ?? '')?.[1] ?? [];
    });
    expect(counts.reduce((sum, count) => sum + Number(count), 0)).toBe(changeCount);
  });

  test('a process whose lease ran out records nothing', async () => {
    const { db } = database;
    const teamId = newTeamId();
    await insertConnection(db, teamId);
    const observations = createObservationStore(db, {
      enqueueMessages,
      isReported,
      isServed: serveAll,
    });
    await startWatch(db, teamId);
    await observations.prepare({ at: noon, intervalMs });
    const claim = async (minute: number) => {
      const at = addMinutes(noon, minute);
      const lease = { holder: randomUUID(), at, until: addMinutes(at, 5) };
      return (await observations.leaseDue(lease, 1))[0];
    };
    const slow = await claim(0);
    expect(await claim(1)).toBeUndefined();
    const quick = await claim(6);
    if (!slow || !quick) throw new Error('nothing was due');
    expect([slow.teamId, quick.teamId]).toEqual([teamId, teamId]);
    const read = { startedAt: noon, at: noon, nextAt: addMinutes(noon, 60) };
    await observations.record(slow, read, () => {
      throw new Error('the lease of this process is over');
    });
    let observed = -1;
    await observations.record(quick, read, (known) => {
      observed = known.observed.size;
      return { seen: [], missing: [], deleted: [], changes: [], outgoing: [] };
    });
    expect(observed).toBe(0);
  });
});
