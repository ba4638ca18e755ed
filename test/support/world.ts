import { afterAll, beforeAll, beforeEach, inject, onTestFinished } from 'vitest';
import { type Actor, actAs } from '../../playground/act-as.ts';
import { people } from '../../playground/people.ts';
import type { Portal } from '../../playground/service/start-service.ts';
import {
  type Playground,
  type PlaygroundOptions,
  startPlayground,
} from '../../playground/start-playground.ts';
import { defaultRetryPolicy } from '../../src/dataprotection/http/retry.ts';
import { createLogger } from '../../src/logger.ts';
import { unpackTemplate } from './database-template.ts';
import { openAnyDatabase } from './databases.ts';

export type World = Playground & {
  /** The portal that setup connects to. */
  portal: Portal;
  ana: Actor;
  ben: Actor;
  cleo: Actor;
  gus: Actor;
  dee: Actor;
  sam: Actor;
  /** Everything the bot has logged, at every level. */
  logged: string[];
};

/** For tests that wait for this work: its polling is a tenth of what a world costs. */
export const shortIntervals = { announceSetup: 250, pollWatches: 500 };

/** The playground without its page, ended with the test that asked for it. */
export async function startWorld(options: Partial<PlaygroundOptions> = {}): Promise<World> {
  const world = await openWorld(options);
  onTestFinished(() => world.stop());
  return world;
}

/**
 * One world for all tests of a file, which is quicker. Before each test what people see, what the
 * service holds and what was logged start afresh; the connection and the settings of Belay stay.
 */
export function shareWorld(options: Partial<PlaygroundOptions> = {}): () => World {
  let world: World | undefined;
  beforeAll(async () => {
    world = await openWorld(options);
  });
  beforeEach(() => {
    world?.slack.reset();
    world?.service.reset();
    world?.logged.splice(0);
  });
  afterAll(() => world?.stop());
  return () => {
    if (!world) throw new Error('the shared world has not started yet');
    return world;
  };
}

async function openWorld(options: Partial<PlaygroundOptions>): Promise<World> {
  const logged: string[] = [];
  const log = createLogger('trace', { write: (line) => void logged.push(line) });
  const { databaseUrl } = options;
  if (databaseUrl) {
    await unpackTemplate(inject('databaseTemplate'), databaseUrl.slice('pglite:'.length));
  }
  const playground = await startPlayground({
    log,
    // Tests with a database in a folder are about what happens later, not about its first start.
    ...(databaseUrl ? {} : { openDatabase: openAnyDatabase }),
    // The usual number of attempts, without the wait of a second after each failed read. What isn't about
    // time doesn't run out of it on a busy machine.
    clientOptions: { timeoutMs: 60_000, retry: { ...defaultRetryPolicy, firstWaitMs: 5 } },
    ...options,
  });
  const { slack } = playground;
  const [portal] = playground.service.portals;
  if (!portal) throw new Error('the reference service has no portal');
  return {
    ...playground,
    portal,
    logged,
    ana: actAs(slack, people.ana),
    ben: actAs(slack, people.ben),
    cleo: actAs(slack, people.cleo),
    gus: actAs(slack, people.gus),
    dee: actAs(slack, people.dee),
    sam: actAs(slack, people.sam),
  };
}
