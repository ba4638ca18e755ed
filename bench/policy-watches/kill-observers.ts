import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import type { Random } from '../../playground/service/data/random.ts';
import type { Database } from '../../src/database/open-database.ts';
import type { Fleet } from '../chaos/fleet.ts';
import type { TestBed } from '../replicas/test-bed.ts';
import { waitFor } from '../replicas/wait-for.ts';
import { changesIn } from './compare-posted.ts';
import { readReadings } from './read-readings.ts';

const storedText = z.object({ text: z.string() });

export type Killed = {
  moment: 'while policies are read' | 'at a post' | 'any';
  /** The lease on the policies was still held: nothing was recorded. */
  wasReading: boolean;
  /** Changes that are in Slack, but not recorded as posted. */
  unrecorded: string[];
};

const moments = ['while policies are read', 'at a post', 'any'] as const;
/** About as long as reading the rest of the list and recording it take. */
const maxReadingMs = 500;
/** Shorter than the time in which another process takes over. */
const settleMs = 300;

type Setup = {
  testBed: TestBed;
  db: Database;
  fleet: Fleet;
  random: Random;
  shownTexts: () => string[];
};

/**
 * Kills all replicas at once: while they read the policies or post, so that nobody else finishes, or
 * at any moment. What is in Slack and not recorded by then may be posted once more.
 */
export async function killObservers(
  setup: Setup,
  { kills, everyMs, patienceMs }: { kills: number; everyMs: number; patienceMs: number },
): Promise<Killed[]> {
  const { fleet, random } = setup;
  const killed: Killed[] = [];
  const begun = performance.now();
  while (killed.length < kills) {
    await wait(Math.max(0, killed.length * everyMs - (performance.now() - begun)));
    await waitFor(() => fleet.running().length > 0, { forMs: 20_000, everyMs: 20 });
    const moment = moments[killed.length % moments.length] ?? 'any';
    await waitForMoment(setup, moment, patienceMs);
    if (moment === 'while policies are read') await wait(random.integer(0, maxReadingMs));
    if (moment === 'any') await wait(random.integer(0, everyMs / 2));
    await Promise.all(fleet.running().map(({ name }) => fleet.kill(name)));
    killed.push({ moment, ...(await look(setup)) });
  }
  return killed;
}

/** Resolves at the moment; after `patienceMs` in any case. */
async function waitForMoment(
  { testBed: { service, slack } }: Setup,
  moment: Killed['moment'],
  patienceMs: number,
): Promise<void> {
  if (moment === 'any') return;
  let unsubscribe = () => {};
  let timer: NodeJS.Timeout | undefined;
  await new Promise<void>((resolve) => {
    timer = setTimeout(resolve, patienceMs);
    if (moment === 'at a post') unsubscribe = slack.subscribe(resolve);
    else
      service.setOnHandled(({ method, path }) => {
        if (method === 'GET' && path.startsWith('/policies/definitions')) resolve();
      });
  });
  clearTimeout(timer);
  unsubscribe();
  service.setOnHandled(undefined);
}

async function look({ db, shownTexts }: Setup): Promise<Pick<Killed, 'wasReading' | 'unrecorded'>> {
  await wait(settleMs);
  const observations = await db.selectFrom('policy_observation').select('lease_holder').execute();
  const waiting = await db
    .selectFrom('delivery_message')
    .select('message')
    .where('state', '=', 'waiting')
    .where('message_ts', 'is', null)
    .execute();
  const readings = await readReadings(db);
  const shown = new Set(shownTexts().flatMap((text) => changesIn(text, readings)));
  return {
    wasReading: observations.some(({ lease_holder }) => lease_holder !== null),
    unrecorded: waiting
      .flatMap(({ message }) => changesIn(storedText.parse(message).text, readings))
      .filter((change) => shown.has(change)),
  };
}
