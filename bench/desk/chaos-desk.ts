import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { actAs } from '../../playground/act-as.ts';
import { people } from '../../playground/people.ts';
import { createRandom } from '../../playground/service/data/random.ts';
import { openDatabase } from '../../src/database/open-database.ts';
import type { Database } from '../../src/database/tables.ts';
import { createDatabase } from '../../test/support/databases.ts';
import { type Fleet, startFleet } from '../chaos/fleet.ts';
import { amount } from '../read-options.ts';
import { verifyLog } from '../replicas/check-log.ts';
import { checkTokens } from '../replicas/check-tokens.ts';
import { checkpointFileOf } from '../replicas/start-replica.ts';
import { setUp, startTestBed, type TestBed } from '../replicas/test-bed.ts';
import { waitFor } from '../replicas/wait-for.ts';
import { shorten } from '../statistics.ts';

const replicaNames = ['replica-1', 'replica-2', 'replica-3'];
const channelCount = amount(20, 3);
const alertCount = amount(500, 30);
/** The mutes end within so many minutes after the shortest one. */
const lastMinute = amount(4, 1);
const outageMs = amount(20_000, 3000);
/** After the last mute has ended. */
const patienceMs = 180_000;
/** In which a killed process may still have a post under way. */
const settleMs = 300;

type Options = { serverUrl: string; kills: number; seed: number; oauth: boolean };
type Channel = { channelId: string; name: string; word: string };
type Setup = { testBed: TestBed; db: Database; fleet: Fleet; channels: Channel[] };

const storedText = z.object({ text: z.string() });

/**
 * Raises alerts in channels that mute them, while all replicas are killed and the service fails, until
 * every mute has ended. Every alert must be in one message of its own, or counted in the summary of the
 * mute, and only once, except for messages that were in Slack, but not recorded, at a kill.
 */
export async function chaosDesk({ serverUrl, kills, seed, oauth }: Options) {
  const begun = performance.now();
  const random = createRandom(seed);
  const channels = Array.from({ length: channelCount }, (_, index) => ({
    channelId: `C0DESK${String(index).padStart(4, '0')}`,
    name: `desk-${index}`,
    word: `desk-word-${String(index).padStart(3, '0')}`,
  }));
  const testBed = await startTestBed({
    users: 20,
    requestsPerSecond: 500,
    dialect: 'live',
    pageSize: 100,
    oauth,
    channels,
  });
  const { env, folder, service, slack } = testBed;
  const { url, drop } = await createDatabase(serverUrl);
  const { db, close } = await openDatabase(url);
  const fleet = await startFleet(replicaNames, { env, folder, databaseUrl: url });
  const setup: Setup = { testBed, db, fleet, channels };
  try {
    await setUp(testBed, { requestUrl: fleet.running()[0]?.requestUrl, graceMinutes: 0 });
    await muteChannels(setup);
    const endsAt = await readLastEnd(db);
    const everyMs = (endsAt - Date.now()) / kills;
    let outages = 0;
    const [copies] = await Promise.all([
      killAll(setup, { kills, everyMs, random }),
      raiseAlerts(setup, endsAt),
      (async () => {
        for (; Date.now() + outageMs < endsAt + outageMs / 2; outages += 1) {
          service.setFault({ kind: 'status', status: 503 });
          await wait(outageMs);
          service.setFault(undefined);
          await wait(outageMs / 2);
        }
      })(),
    ]);
    service.setFault(undefined);
    let missing: string[] = [];
    const isComplete = await waitFor(
      async () => {
        missing = checkChannels(setup, copies);
        return missing.length === 0;
      },
      { forMs: patienceMs, everyMs: 1000 },
    );
    const left = await db
      .selectFrom('watched_alert')
      .select('alert_key')
      .where('notified_as', '=', 'held')
      .execute();
    const { log, violations: breaks } = await verifyLog(db, {
      env,
      checkpointFiles: replicaNames.map((name) => checkpointFileOf(folder, name)),
    });
    const tokens = checkTokens(slack);
    return {
      chaos: 'desk',
      seed,
      replicas: replicaNames.length,
      channels: channels.length,
      alerts: alertCount,
      kills,
      outages,
      held: heldCounts(setup).reduce((sum, { held }) => sum + held, 0),
      /** Second copies of messages that were in Slack, but not recorded, at a kill. */
      copies: copies.length,
      ...tokens.figures,
      log,
      seconds: Math.round((performance.now() - begun) / 1000),
      violations: shorten([
        ...(isComplete ? [] : missing),
        ...(left.length > 0 ? [`${left.length} alerts are still held`] : []),
        ...fleet.failures,
        ...breaks,
        ...tokens.violations,
      ]),
    };
  } finally {
    await fleet.stop();
    await close();
    await drop();
    await testBed.stop();
  }
}

/** Each channel watches its word and mutes it, for one minute or more. */
async function muteChannels({ testBed: { slack }, channels }: Setup): Promise<void> {
  for (const [index, { name, word }] of channels.entries()) {
    const person = actAs(slack, index % 2 === 0 ? people.ana : people.cleo);
    await person.send(name, `/belay watch "${word}"`);
    await person.see(
      ({ conversations }) =>
        conversations
          .find((one) => one.name === name)
          ?.messages.find(({ text }) => text.includes('Watch added')),
      `the watch of ${name}`,
    );
    const minutes = 1 + (index % lastMinute);
    await person.send(name, `/belay mute "${word}" for ${minutes}m`);
    const form = await person.seeDialog('Mute alerts');
    await person.submit(form, { reason: { input: 'Maintenance' } });
  }
}

async function readLastEnd(db: Database): Promise<number> {
  const ends: number[] = [];
  await waitFor(
    async () => {
      const rows = await db.selectFrom('mute').select('ends_at').execute();
      ends.splice(0, ends.length, ...rows.map((row) => row.ends_at?.getTime() ?? 0));
      return ends.length === channelCount;
    },
    { forMs: patienceMs },
  );
  if (ends.length < channelCount) throw new Error('not every channel was muted');
  return Math.max(...ends);
}

/** Evenly until the last mute has ended, so that some alerts come after the mute of their channel. */
async function raiseAlerts(
  { testBed: { service, portal }, channels }: Setup,
  endsAt: number,
): Promise<void> {
  const everyMs = (endsAt + outageMs - Date.now()) / alertCount;
  for (let index = 0; index < alertCount; index += 1) {
    const { word } = channels[index % channels.length] ?? { word: '' };
    const now = new Date().toISOString();
    service.putAlert(portal.id, {
      id: `desk-${index}`,
      type: 'backup_failed',
      cause: 'snapshot_not_created',
      severity: 'warning',
      status: 'active',
      notes: '',
      raised_count: 1,
      raised_timestamp: now,
      updated_timestamp: now,
      cleared_timestamp: null,
      primary_entity: { id: `entity-${index}`, type: 'vmware_vm', value: `${word} #${index}#` },
    });
    await wait(everyMs);
  }
}

/** Returns the texts of messages that were in Slack, but not recorded, at a kill. */
async function killAll(
  { testBed, db, fleet }: Setup,
  {
    kills,
    everyMs,
    random,
  }: { kills: number; everyMs: number; random: ReturnType<typeof createRandom> },
): Promise<string[]> {
  const unrecorded: string[] = [];
  for (let count = 0; count < kills; count += 1) {
    await wait(random.integer(0, everyMs));
    await waitFor(() => fleet.running().length > 0, { forMs: 20_000, everyMs: 20 });
    await Promise.all(fleet.running().map(({ name }) => fleet.kill(name)));
    await wait(settleMs);
    const rows = await db
      .selectFrom('delivery_message')
      .select('message')
      .where('state', '=', 'queued')
      .where('message_ts', 'is', null)
      .execute();
    const shown = new Set(readTexts(testBed).map(({ text }) => text));
    const texts = rows.map(({ message }) => storedText.parse(message).text);
    unrecorded.push(...texts.filter((text) => shown.has(text)));
  }
  return unrecorded;
}

function readTexts({ slack }: TestBed): { channelId: string; text: string }[] {
  return slack
    .snapshot(people.ana)
    .conversations.flatMap(({ channelId, messages }) =>
      messages.filter(({ isEphemeral }) => !isEphemeral).map(({ text }) => ({ channelId, text })),
    );
}

/** What the summaries of each channel say that its mute has held. */
function heldCounts({ testBed, channels }: Setup): { held: number; summaries: number }[] {
  const texts = readTexts(testBed);
  return channels.map(({ channelId }) => {
    const ended = texts.filter(
      (one) => one.channelId === channelId && one.text.includes('Mute ended'),
    );
    const [first] = ended;
    const [, held = '0'] = /(\d+) alerts? (?:was|were) held/.exec(first?.text ?? '') ?? [];
    return { held: Number(held), summaries: ended.length };
  });
}

function checkChannels(setup: Setup, copies: string[]): string[] {
  const { testBed, channels } = setup;
  const texts = readTexts(testBed);
  return heldCounts(setup).flatMap(({ held, summaries }, index) => {
    const { channelId, name, word } = channels[index] ?? { channelId: '', name: '', word: '' };
    const own = texts.filter(
      (one) => one.channelId === channelId && one.text.includes(`${word} #`),
    );
    const numbers = own.map(({ text }) => /#(\d+)#/.exec(text)?.[1]);
    const repeated = numbers.filter((number, at) => numbers.indexOf(number) < at);
    const isCopy = (text: string) => copies.includes(text);
    const unexplained = repeated.filter(
      (number) => !own.some(({ text }) => text.includes(`#${number}#`) && isCopy(text)),
    );
    const raised = Math.ceil((alertCount - index) / channels.length);
    const found = new Set(numbers).size + held;
    const ended = texts.filter(({ text }) => text.includes('Mute ended') && isCopy(text)).length;
    return [
      ...(found === raised ? [] : [`${name}: ${raised} raised, ${found} posted or counted`]),
      ...(unexplained.length > 0 ? [`${name}: #${unexplained.join(', #')} posted twice`] : []),
      ...(summaries === 1 || (summaries > 1 && ended > 0)
        ? []
        : [`${name}: ${summaries} summaries`]),
    ];
  });
}
