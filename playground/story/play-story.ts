import { type AppOptions, startBelay } from '../../src/app.ts';
import type { Config } from '../../src/config.ts';
import { type OpenDatabase, openDatabase } from '../../src/database/open-database.ts';
import { setUpBelay } from '../set-up-belay.ts';
import { runDigests } from './run-digests.ts';
import { type StoryParts, tellStory } from './tell-story.ts';

type Parts = Omit<StoryParts, 'db' | 'runDigests'> & {
  /** With Socket Mode: Bolt compares the time of signed requests with the real time. */
  config: Config;
  appOptions: AppOptions;
  setUp: Parameters<typeof setUpBelay>[2];
};

/**
 * Fills the workspace with the story: runs Belay with a clock in the past, and moves the clock forward to
 * the real time. Returns the database, for the Belay that people then use.
 */
export async function playStory({
  config,
  appOptions,
  setUp,
  ...parts
}: Parts): Promise<OpenDatabase> {
  const open = appOptions.openDatabase ?? openDatabase;
  const opened = await open(config.databaseUrl, config.databaseOptions);
  const belay = await startBelay(config, {
    ...appOptions,
    // The story waits for each of them.
    intervals: { ...appOptions.intervals, pollWatches: 100, observePolicies: 100 },
    openDatabase: async () => ({ ...opened, close: async () => undefined }),
  });
  try {
    await setUpBelay(parts.slack, parts.service, setUp);
    const { db } = opened;
    const { log } = appOptions;
    await tellStory({
      ...parts,
      db,
      runDigests: () => runDigests({ db, config, clock: parts.clock.now, log }),
    });
  } finally {
    await belay.stop();
  }
  return opened;
}
