import { App, HTTPReceiver, LogLevel } from '@slack/bolt';
import type { Page } from 'playwright-core';
import { type LocalSlack, startLocalSlack } from '../../playground/slack/local-slack.ts';
import { createWorkspace } from '../../playground/slack/workspace.ts';
import { launchChromium } from '../support/browser.ts';
import { testTimeoutMs } from '../support/patience.ts';
import { builtPage } from './built-page.ts';
import { addSampleApp } from './sample-app.ts';
import { openWatchedPage, type Size } from './watched-page.ts';

export const people = { ana: 'U0ANA00001', ben: 'U0BEN00002' } as const;

export type Stage = {
  slack: LocalSlack;
  /** Lets the app answer what it has been pondering. */
  letGo: () => void;
  /** The app's Web API client. */
  client: App['client'];
  open: (person: keyof typeof people, size?: Size) => Promise<Page>;
  /** Errors in any page, refused contents and requests to other hosts included. */
  faults: string[];
  close: () => Promise<void>;
};

/** The page, in a real browser, on a local Slack with a real Bolt app behind it. */
export async function createStage(ackTimeoutMs: number): Promise<Stage> {
  const workspace = createWorkspace();
  const page = await builtPage();
  const slack = await startLocalSlack({ workspace, page, ackTimeoutMs });
  const { promise: isLetGo, resolve: letGo } = Promise.withResolvers<void>();
  const receiver = new HTTPReceiver({
    signingSecret: workspace.app.signingSecret,
    logLevel: LogLevel.ERROR,
    // Bolt answers unacknowledged requests itself after 3 s, and on a busy machine the limit of the
    // local Slack, which excludes the time without the processor, can take longer.
    unhandledRequestTimeoutMillis: testTimeoutMs,
  });
  const app = new App({
    receiver,
    deferInitialization: true,
    token: workspace.app.botToken,
    clientOptions: { slackApiUrl: slack.apiUrl },
    logLevel: LogLevel.ERROR,
  });
  addSampleApp(app, isLetGo);
  await app.init();
  const address = (await receiver.start({ port: 0, host: '127.0.0.1' })).address();
  if (typeof address !== 'object' || !address) throw new Error('The receiver has no port.');
  slack.connectApp(`http://127.0.0.1:${address.port}/slack/events`);
  const browser = await launchChromium();
  const faults: string[] = [];
  return {
    slack,
    letGo,
    faults,
    client: app.client,
    open: (person, size = { width: 1100, height: 800 }) => {
      const path = `/?as=${people[person]}#ops`;
      return openWatchedPage(browser, { origin: slack.url, path, size, faults });
    },
    close: async () => {
      letGo();
      await browser.close();
      await receiver.stop();
      await slack.close();
    },
  };
}
