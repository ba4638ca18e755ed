import type { Page } from 'playwright-core';
import { people } from '../../playground/people.ts';
import {
  type Playground,
  type PlaygroundOptions,
  startPlayground,
} from '../../playground/start-playground.ts';
import { createLogger } from '../../src/logger.ts';
import { launchChromium } from '../support/browser.ts';
import { openAnyDatabase } from '../support/databases.ts';
import { sample } from '../support/sampling.ts';
import { shortIntervals } from '../support/world.ts';
import { builtPage } from './built-page.ts';
import { openWatchedPage, type Size } from './watched-page.ts';

export const desktop: Size = { width: 1200, height: 800 };
export const phone: Size = { width: 375, height: 667 };
const sizes: [name: string, size: Size][] = [
  ['desktop', desktop],
  ['phone', phone],
];
/** For `test.each`: both in `.ci/run`, one of them elsewhere. */
export const desktopAndPhone = sample(sizes, 1);

export type PlaygroundStage = Playground & {
  open: (person: keyof typeof people, size?: Size) => Promise<Page>;
  /** What no page should have met, and what the bot logged as an error. */
  faults: string[];
  close: () => Promise<void>;
};

/** What `npm run playground` starts, and a browser to look at it. */
export async function createPlaygroundStage(
  options: Pick<
    PlaygroundOptions,
    'dialect' | 'clock' | 'adjustableClock' | 'openDatabase' | 'approvers' | 'page'
  > = {},
): Promise<PlaygroundStage> {
  const faults: string[] = [];
  const playground = await startPlayground({
    openDatabase: openAnyDatabase,
    intervals: shortIntervals,
    ...options,
    page: options.page ?? (await builtPage()),
    log: createLogger('error', { write: (line) => void faults.push(line) }),
  });
  const browser = await launchChromium();
  const origin = playground.slack.url;
  return {
    ...playground,
    faults,
    open: (person, size = desktop) =>
      openWatchedPage(browser, { origin, path: `/?as=${people[person]}#ops`, size, faults }),
    async close() {
      await browser.close();
      await playground.stop();
    },
  };
}
