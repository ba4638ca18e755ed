import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import type { Random } from '../../playground/service/data/random.ts';
import type { Database } from '../../src/database/tables.ts';
import type { Fleet } from '../chaos/fleet.ts';
import type { TestBed } from '../replicas/test-bed.ts';
import { waitFor } from '../replicas/wait-for.ts';
import { changesIn, loadReadings } from './compare-posted.ts';

const storedText = z.object({ text: z.string() });

export type Killed = {
  moment: 'while policies are read' | 'at a post' | 'any';
  /** Whether the lease on the policies was still held, which is released when a reading is recorded. */
  wasReading: boolean;
  /** Changes that are in Slack, but not recorded as posted. */
  unrecorded: string[];
};

const moments = ['while policies are read', 'at a post', 'any'] as const;
/** About the time that it takes to read the rest of the list and to record it. */
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
 * Kills all replicas at the same time, so that none of them finishes the work: while they read the
 * policies, at a post, or at any moment. Messages that are in Slack but not recorded by then may be
 * posted once more.
 */
export async function killObservers(
  setup: Setup,
  { kills, everyMs, patienceMs }: { kills: number; everyMs: number; patienceMs: number },
): Promise<Killed[]> {
  const { fleet, random } = setup;
  const killed: Killed[] = [];
  const startedAt = performance.now();
  while (killed.length < kills) {
    await wait(Math.max(0, killed.length * everyMs - (performance.now() - startedAt)));
    await waitFor(() => fleet.running().length > 0, { forMs: 20_000, everyMs: 20 });
    const moment = moments[killed.length % moments.length] ?? 'any';
    await waitForMoment(setup, moment, patienceMs);
    if (moment === 'while policies are read') await wait(random.integer(0, maxReadingMs));
    if (moment === 'any') await wait(random.integer(0, everyMs / 2));
    await Promise.all(fleet.running().map(({ name }) => fleet.kill(name)));
    killed.push({ moment, ...(await inspect(setup)) });
  }
  return killed;
}

/** Resolves at the moment, or after `patienceMs`. */
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

async function inspect({
  db,
  shownTexts,
}: Setup): Promise<Pick<Killed, 'wasReading' | 'unrecorded'>> {
  await wait(settleMs);
  const observations = await db.selectFrom('policy_observation').select('lease_holder').execute();
  const waiting = await db
    .selectFrom('delivery_message')
    .select('message')
    .where('state', '=', 'queued')
    .where('message_ts', 'is', null)
    .execute();
  const readings = await loadReadings(db);
  const shown = new Set(shownTexts().flatMap((text) => changesIn(text, readings)));
  return {
    wasReading: observations.some(({ lease_holder }) => lease_holder !== null),
    unrecorded: waiting
      .flatMap(({ message }) => changesIn(storedText.parse(message).text, readings))
      .filter((change) => shown.has(change)),
  };
}
