import { onTestFinished } from 'vitest';
import { z } from 'zod';
import {
  type LocalSlack,
  type LocalSlackOptions,
  startLocalSlack,
} from '../../../../playground/slack/local-slack.ts';
import { createOtherWorkspace } from '../../../../playground/slack/more-workspaces.ts';
import {
  createWorkspace,
  type SlackApp,
  type Workspace,
} from '../../../../playground/slack/workspace.ts';
import { startTinyApp, type TinyApp } from '../tiny-app.ts';

/** The admins of the second and of the third workspace. */
export const OLGA = 'U0W0000022';
export const ROSA = 'U0W0000032';
/** Members of the second and of the third workspace. */
export const MIA = 'U0W0000020';
export const PAUL = 'U0W0000030';

const answerSchema = z.looseObject({ ok: z.boolean(), error: z.string().optional() });
export type Answer = z.infer<typeof answerSchema>;

export type Several = {
  slack: LocalSlack;
  app: TinyApp;
  /** The app is installed in the first only. */
  first: Workspace;
  second: Workspace;
  third: Workspace;
  config: SlackApp;
  /** Moves the clock forward. */
  wait: (ms: number) => void;
  call: (method: string, token: string, args?: Record<string, string>) => Promise<Answer>;
  /** Calls `oauth.v2.access` with the credentials of the app in the body. */
  access: (args: Record<string, string>) => Promise<Answer>;
  /** Installs the app and exchanges the code. `targetId` is `T…` or `E…`. */
  install: (targetId: string, slackUserId: string) => Promise<Tokens>;
};

export type Tokens = { answer: Answer; token: string; refreshToken: string };

const field = (answer: Answer, name: string): string => {
  const value = answer[name];
  return typeof value === 'string' ? value : '';
};

export const tokensIn = (answer: Answer): Tokens => ({
  answer,
  token: field(answer, 'access_token'),
  refreshToken: field(answer, 'refresh_token'),
});

/** Three workspaces with one app, closed after the test. */
export const startSeveral = async (
  changes: (app: SlackApp) => void = () => undefined,
  options: Partial<LocalSlackOptions> = {},
): Promise<Several> => {
  const first = createWorkspace();
  const config = first.app;
  changes(config);
  const [second, third] = [createOtherWorkspace(config, 2), createOtherWorkspace(config, 3)];
  let now = new Date('2026-11-20T09:00:00Z').getTime();
  const app = await startTinyApp();
  const slack = await startLocalSlack({
    workspace: first,
    workspaces: [second, third],
    clock: () => new Date(now),
    requestUrl: app.url,
    ...options,
  });
  onTestFinished(async () => {
    await slack.close();
    await app.close();
  });
  const post = async (method: string, headers: Record<string, string>, args: object) => {
    const body = new URLSearchParams(Object.entries(args));
    const response = await fetch(`${slack.apiUrl}${method}`, { method: 'POST', headers, body });
    return answerSchema.parse(await response.json());
  };
  const access: Several['access'] = (args) => {
    const credentials = { client_id: config.clientId, client_secret: config.clientSecret };
    return post('oauth.v2.access', {}, { ...credentials, ...args });
  };
  return {
    slack,
    app,
    first,
    second,
    third,
    config,
    access,
    wait: (ms) => {
      now += ms;
    },
    call: (method, token, args = {}) => post(method, { authorization: `Bearer ${token}` }, args),
    install: async (targetId, slackUserId) => {
      const returned = await slack.install(targetId, slackUserId);
      return tokensIn(await access({ code: returned.searchParams.get('code') ?? '' }));
    },
  };
};
