import { setTimeout as wait } from 'node:timers/promises';
import { actAs } from '../../playground/act-as.ts';
import { people } from '../../playground/people.ts';
import { createRandom } from '../../playground/service/data/random.ts';
import { atLeast } from '../aims.ts';
import { type ChaosSetup, openChaos, replicaNames } from '../chaos/chaos-setup.ts';
import type { Fleet } from '../chaos/fleet.ts';
import { requesters } from '../replicas/people.ts';
import { waitFor } from '../replicas/wait-for.ts';
import { shorten, spread } from '../statistics.ts';
import { maxWithin, slackLimit } from './max-within.ts';

type Options = { serverUrl: string; kills: number; seed: number; oauth: boolean };
type Running = ChaosSetup & { fleet: Fleet };

const killsPerRound = 4;
/** Some readers open Home again in every round; the tabs of the others are only updated. */
const [updated, opening] = [requesters.slice(0, 3), requesters.slice(3)];
/** A killed process keeps its leases for 30 s, and Slack's limit leaves 30 updates for each 65 s. */
const patienceMs = 100_000;
/** Delays some of Slack's responses, so that kills hit between a call and its response. */
const answerAfter = () => wait(400);

const channels = { ops: 'C0OPS00001', random: 'C0RANDOM03' } as const;

/**
 * Kills replicas while Home tabs wait to be published, or are published but not recorded. After every
 * few kills each Home tab must show the newest state.
 */
export async function chaosHome({ serverUrl, kills, seed, oauth }: Options) {
  const begun = performance.now();
  const { setup, fleet, stop } = await openChaos(
    { serverUrl, oauth, hasHomeTab: true },
    createRandom(seed),
  );
  const running = { ...setup, fleet };
  const { slack } = setup.testBed;
  try {
    const watches = { ops: 0, random: 0 };
    const killed: { pending: number }[] = [];
    const settledMs: number[] = [];
    const violations: string[] = [];
    for (let round = 1; killed.length < kills; round += 1) {
      const readers = [...updated, ...opening];
      if (round === 1) await openHomes(running, readers);
      const before = await findOutdated(running, readers, watches);
      violations.push(...before.map((id) => `round ${round}: ${id} doesn't show the state before`));
      const count = Math.min(killsPerRound, kills - killed.length);
      for (let one = 0; one < count; one += 1) {
        for (const [index] of readers.entries()) {
          slack.failNext('views.publish', { answerAfter });
          if (index % 2 === 0) slack.failNext('users.info', { answerAfter });
        }
        await addWatch(running, one % 2 === 0 ? 'ops' : 'random', watches);
        if (one === 1) await openHomes(running, opening);
        killed.push({ pending: await killWhilePending(running, one % 2 === 1) });
      }
      const lastKill = performance.now();
      const outdated = await findOutdated(running, readers, watches);
      settledMs.push(Math.round(performance.now() - lastKill));
      violations.push(...outdated.map((id) => `round ${round}: ${id} shows an old Home tab`));
      process.stdout.write(`${killed.length} kills, ${outdated.length} outdated\n`);
    }
    let pending = 0;
    await waitFor(
      async () => {
        pending = await countPending(setup);
        return pending === 0;
      },
      { forMs: patienceMs, everyMs: 500 },
    );
    const calls = slack.calls.filter(({ method }) => method === 'views.publish');
    const maxPerMinute = maxWithin(calls.map(({ at }) => at.getTime()));
    const whilePending = killed.filter((kill) => kill.pending > 0).length;
    return {
      bench: 'chaos home',
      seed,
      replicas: replicaNames.length,
      kills: killed.length,
      published: calls.length,
      maxPerMinute,
      aims: [atLeast('Kills while Home tabs waited', whilePending, 1, '')],
      settledMs: spread(settledMs),
      restartMs: spread(fleet.startedInMs),
      seconds: Math.round((performance.now() - begun) / 1000),
      violations: shorten([
        ...violations,
        ...fleet.failures,
        ...(pending > 0 ? [`${pending} Home tabs still wait`] : []),
        ...(maxPerMinute > slackLimit.perMinute ? [`${maxPerMinute} publications a minute`] : []),
      ]),
    };
  } finally {
    await stop();
  }
}

/** Kills all replicas, so that none of them finishes the work: at a publication, or at any moment. */
async function killWhilePending(
  { testBed, fleet, random, ...setup }: Running,
  atPublication: boolean,
) {
  await waitFor(() => fleet.running().length > 1, { forMs: 20_000, everyMs: 20 });
  const before = countPublished(testBed);
  const isPublished = () => countPublished(testBed) > before;
  if (atPublication) await waitFor(isPublished, { forMs: 5000, everyMs: 5 });
  else await wait(random.integer(0, 1500));
  await Promise.all(fleet.running().map(({ name }) => fleet.kill(name)));
  return countPending({ testBed, fleet, random, ...setup });
}

function countPublished({ slack }: ChaosSetup['testBed']): number {
  return slack.calls.filter(({ method }) => method === 'views.publish').length;
}

/** Home tabs that are leased, queued, or older than the newest change. */
async function countPending({ db }: ChaosSetup): Promise<number> {
  const rows = await db
    .selectFrom('home_tab')
    .innerJoin('home_team', 'home_team.team_id', 'home_tab.team_id')
    .select('home_tab.slack_user_id')
    .where((eb) =>
      eb.or([
        eb('lease_holder', 'is not', null),
        eb('waiting_since', 'is not', null),
        eb('rendered_version', '<', eb.ref('home_team.version')),
      ]),
    )
    .execute();
  return rows.length;
}

async function openHomes(running: Running, readers: string[]): Promise<void> {
  await connect(running);
  for (const id of readers) await actAs(running.testBed.slack, id).openHome();
}

async function addWatch(
  running: Running,
  channel: keyof typeof channels,
  watches: Record<keyof typeof channels, number>,
): Promise<void> {
  watches[channel] += 1;
  const cleo = actAs(running.testBed.slack, people.cleo);
  const word = `vm-${channel}-${watches[channel]}`;
  const isAnswered = () =>
    cleo
      .snapshot()
      .conversations.flatMap(({ messages }) => messages)
      .some(({ text, isEphemeral }) => isEphemeral && text.includes(word));
  // A replica may be killed, or still starting, when the command arrives.
  for (let attempt = 0; attempt < 5 && !isAnswered(); attempt += 1) {
    await connect(running);
    await cleo.send(channel, `/belay watch "${word}"`);
    await waitFor(isAnswered, { forMs: 20_000 });
  }
  if (!isAnswered()) throw new Error(`the watch ${word} was not added`);
}

/** Routes Slack's requests to a running replica. */
async function connect({ testBed, fleet }: Running): Promise<void> {
  await waitFor(() => fleet.running().length > 0, { forMs: 20_000, everyMs: 20 });
  testBed.slack.connectApp(fleet.running()[0]?.requestUrl ?? '');
}

/** The people whose Home tabs don't show the watches in time. */
async function findOutdated(
  { testBed: { slack } }: Running,
  readers: string[],
  watches: Record<keyof typeof channels, number>,
): Promise<string[]> {
  const expected = Object.entries(channels).flatMap(([name, id]) => {
    const count = name === 'ops' ? watches.ops : watches.random;
    return count > 0 ? [`<#${id}> · ${count} watch`] : [];
  });
  const outdated = () =>
    readers.filter((id) => {
      const { view } = slack.snapshot(id).home ?? {};
      const shown = JSON.stringify(view ?? null);
      return !view || expected.some((text) => !shown.includes(text));
    });
  await waitFor(() => outdated().length === 0, { forMs: patienceMs });
  return outdated();
}
