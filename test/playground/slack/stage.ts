import { type Logger, LogLevel, WebClient } from '@slack/web-api';
import { onTestFinished } from 'vitest';
import { type LocalSlack, startLocalSlack } from '../../../playground/slack/local-slack.ts';
import { createWorkspace, type Workspace } from '../../../playground/slack/workspace.ts';
import { startTinyApp, type TinyApp } from './tiny-app.ts';

export const ANA = 'U0ANA00001';
export const BEN = 'U0BEN00002';
export const DEE = 'U0DEE00005';
export const SAM = 'U0SAM00006';
export const OPS = 'C0OPS00001';

export type Stage = {
  slack: LocalSlack;
  app: TinyApp;
  client: WebClient;
  workspace: Workspace;
  /** Moves the workspace's clock forward. */
  wait: (ms: number) => void;
  /** Runs `/belay` and returns its trigger and response URL. */
  command: (slackUserId: string) => Promise<{ trigger_id: string; response_url: string }>;
};

/** Disables the client's log of refused calls, which these tests provoke on purpose. */
const silent: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  setLevel: () => undefined,
  getLevel: () => LogLevel.ERROR,
  setName: () => undefined,
};

const text = (value: unknown): string => {
  if (typeof value !== 'string') throw new Error('The payload lacks a text that was expected.');
  return value;
};

/** For apps that never answer. Others may need longer than this on a busy machine. */
export const shortAckTimeout = { ackTimeoutMs: 500 };

/** A workspace with an app and the app's real client, closed after the test. */
export const startStage = async (
  changes: (workspace: Workspace) => void = () => undefined,
  patience: { ackTimeoutMs?: number; starvedMs?: () => number } = {},
): Promise<Stage> => {
  const workspace = createWorkspace();
  changes(workspace);
  let now = new Date('2026-11-20T09:00:00Z').getTime();
  const app = await startTinyApp();
  const slack = await startLocalSlack({
    workspace,
    clock: () => new Date(now),
    requestUrl: app.url,
    // Time passes only by `wait`.
    starvedMs: () => 0,
    ...patience,
  });
  onTestFinished(async () => {
    await slack.close();
    await app.close();
  });
  const client = new WebClient(workspace.app.botToken, {
    slackApiUrl: slack.apiUrl,
    logger: silent,
    retryConfig: { retries: 0 },
  });
  return {
    slack,
    app,
    client,
    workspace,
    wait: (ms) => {
      now += ms;
    },
    command: async (slackUserId) => {
      await slack.perform(slackUserId, { type: 'send', channelId: OPS, text: '/belay' });
      const { trigger_id, response_url } = app.deliveries.at(-1)?.payload ?? {};
      return { trigger_id: text(trigger_id), response_url: text(response_url) };
    },
  };
};

/** The messages of #ops as one person sees them. */
export const seen = (stage: Stage, slackUserId: string) =>
  stage.slack.snapshot(slackUserId).conversations.find((one) => one.channelId === OPS)?.messages ??
  [];
