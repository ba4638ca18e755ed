import { z } from 'zod';
import { actAs } from '../../playground/act-as.ts';
import { people } from '../../playground/people.ts';
import { createRandom } from '../../playground/service/data/random.ts';
import { openDatabase } from '../../src/database/open-database.ts';
import type { Database } from '../../src/database/tables.ts';
import { createServiceClient, createTransport } from '../../src/dataprotection/client.ts';
import { createDatabase } from '../../test/support/databases.ts';
import { atLeast } from '../aims.ts';
import { startFleet } from '../chaos/fleet.ts';
import { amount } from '../read-options.ts';
import { checkTokens } from '../replicas/check-tokens.ts';
import { setUp, startTestBed } from '../replicas/test-bed.ts';
import { waitFor } from '../replicas/wait-for.ts';
import { countBy, shorten } from '../statistics.ts';
import { changesIn, comparePosted, loadReadings } from './compare-posted.ts';
import { killObservers } from './kill-observers.ts';
import { createPolicies, makeChanges } from './make-changes.ts';

const policyCount = amount(1000, 200);
const changeCount = amount(500, 50);
/** Shorter than the default of 15 minutes, so that more kills hit a reading. */
const readMinutes = 3;
const hourMs = 60 * 60_000;
/** Setup ends before the clocks of the replicas run faster than Slack's. */
const setUpMs = 15_000;
const watchedId = 'C0RANDOM03';

const storedName = z.object({ name: z.string() });

type Options = { serverUrl: string; kills: number; minutes: number; seed: number; oauth: boolean };

/**
 * Makes 500 changes to 1,000 policies outside Belay within an hour, compressed into `minutes`, and kills
 * all replicas again and again. Every change must be posted, and only once, except for messages that
 * were in Slack, but not recorded, when their process was killed.
 */
export async function chaosPolicyWatches({ serverUrl, kills, minutes, seed, oauth }: Options) {
  const startedAt = performance.now();
  const testBed = await startTestBed({
    users: 20,
    requestsPerSecond: 500,
    dialect: 'live' as const,
    pageSize: 100,
    oauth,
  });
  const { env, folder, slack, service, portal } = testBed;
  service.setTaskTimings({ delayMs: 0 });
  const transport = createTransport();
  const client = createServiceClient(
    { baseUrl: portal.baseUrl, token: portal.token, dialect: 'live', requestsPerSecond: 10_000 },
    transport,
  );
  const policies = await createPolicies(client, policyCount);
  const { url, drop } = await createDatabase(serverUrl);
  const { db, close } = await openDatabase(url);
  const factor = hourMs / (minutes * 60_000);
  const speed = { factor, from: Date.now() + setUpMs };
  const names = ['replica-1', 'replica-2'];
  const fleet = await startFleet(names, {
    folder,
    databaseUrl: url,
    speed,
    env: { ...env, BELAY_POLICY_READ_MINUTES: String(readMinutes) },
  });
  const shownTexts = () =>
    slack
      .snapshot(people.cleo)
      .conversations.filter(({ channelId }) => channelId === watchedId)
      .flatMap(({ messages }) => messages.map(({ text }) => text));
  try {
    await setUp(testBed, { requestUrl: fleet.running()[0]?.requestUrl, graceMinutes: 0 });
    const cleo = actAs(slack, people.cleo);
    await cleo.send('random', '/belay watch policies');
    await cleo.seeMessage('Watch added.');
    const isObserved = async () => (await readObserved(db)).size === policies.length;
    if (!(await waitFor(isObserved, { forMs: hourMs / factor + setUpMs }))) {
      throw new Error('the policies were not read');
    }

    const isRead = async (name: string, id: string) =>
      (await readObserved(db, id)).get(id) === name;
    const forMs = hourMs / factor;
    const [{ repeated }, killed] = await Promise.all([
      makeChanges(client, policies, { count: changeCount, forMs, isRead }),
      killObservers(
        { testBed, db, fleet, random: createRandom(seed), shownTexts },
        { kills, everyMs: forMs / kills, patienceMs: forMs / 2 },
      ),
    ]);
    const posted = async () => {
      const readings = await loadReadings(db);
      return shownTexts().flatMap((text) => changesIn(text, readings));
    };
    const isPosted = async () => new Set(await posted()).size === changeCount;
    await waitFor(isPosted, { forMs: hourMs / factor, everyMs: 1000 });
    const isDelivered = async () => (await countWaiting(db)) === 0;
    await waitFor(isDelivered, { forMs: hourMs / factor });
    const { missed, copies, violations } = comparePosted({
      changeCount,
      posted: await posted(),
      unrecorded: killed.flatMap(({ unrecorded }) => unrecorded),
    });
    const tokens = checkTokens(slack);
    const killsWhileReading = killed.filter(({ wasReading }) => wasReading).length;
    return {
      chaos: 'policy-watches',
      seed,
      policies: policies.length,
      changes: changeCount,
      repeated,
      minutes,
      messages: shownTexts().length,
      kills: killed.length,
      moments: countBy(killed, ({ moment }) => moment),
      aims: [atLeast('Kills while policies were read', killsWhileReading, 1, '')],
      killsBeforeRecord: killed.filter(({ unrecorded }) => unrecorded.length > 0).length,
      ...tokens.figures,
      missed,
      /** Second copies of messages that were in Slack, but not recorded, at a kill. */
      copies,
      seconds: Math.round((performance.now() - startedAt) / 1000),
      violations: shorten([...violations, ...fleet.failures, ...tokens.violations]),
    };
  } finally {
    await fleet.stop();
    await close();
    await drop();
    await transport.dispatcher.close();
    await testBed.stop();
  }
}

/** The names of the policies in Belay's last reading, by id. */
async function readObserved(db: Database, id?: string): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('observed_policy')
    .select(['policy_id', 'definition'])
    .$if(id !== undefined, (query) => query.where('policy_id', '=', id ?? ''))
    .execute();
  return new Map(rows.map((row) => [row.policy_id, storedName.parse(row.definition).name]));
}

async function countWaiting(db: Database): Promise<number> {
  const { count } = await db
    .selectFrom('delivery_message')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('state', '=', 'queued')
    .executeTakeFirstOrThrow();
  return Number(count);
}
