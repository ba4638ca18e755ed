import { onTestFinished } from 'vitest';
import { type Actor, actAs } from '../../../playground/act-as.ts';
import { people } from '../../../playground/people.ts';
import { type LocalSlack, startLocalSlack } from '../../../playground/slack/local-slack.ts';
import type { Message } from '../../../playground/slack/protocol.ts';
import { createWorkspace, type Workspace } from '../../../playground/slack/workspace.ts';
import { type MonotonicClock, monotonicClock, systemClock } from '../../../src/clock.ts';
import { createLogger } from '../../../src/logger.ts';
import type { SlackClient } from '../../../src/slack/api/slack-client.ts';
import type { SlackClients } from '../../../src/slack/api/slack-clients.ts';
import type { Outsider } from '../../../src/slack/interactions/authorize-caller.ts';
import { type CallContext, Refusal } from '../../../src/slack/interactions/interaction.ts';
import { createListeners, type Listeners } from '../../../src/slack/interactions/listeners.ts';
import type { RefusedUse } from '../../../src/slack/interactions/report-failure.ts';
import { createSlackApp } from '../../../src/slack/server/slack-app.ts';
import type { Message as AppMessage } from '../../../src/slack/ui/blocks.ts';
import { notConnected, type OpenService } from '../../../src/workspace/open-service.ts';
import {
  defaultAccess,
  defaultSettings,
  type WorkspaceSettings,
} from '../../../src/workspace/settings/document.ts';

export const opsChannelId = 'C0OPS00001';

export type Listening = {
  slack: LocalSlack;
  /** The data of the local Slack; changes take effect immediately. */
  workspace: Workspace;
  listeners: Listeners;
  /** Slack's Web API as Belay uses it. */
  client: SlackClient;
  clients: SlackClients;
  person: (slackUserId: string) => Actor;
  /** From now on the bot token can be read only after this, as while it is refreshed. */
  delayToken: (until: Promise<void>) => void;
  /** Posts in #ops as Belay; resolves once Ana sees it. */
  post: (message: AppMessage) => Promise<Message>;
  /** Resolves to the first log line that contains this text. */
  seeLogged: (text: string) => Promise<string>;
  logged: string[];
  /** Those who were refused because they are not full members. */
  outsiders: Outsider[];
  /** Members who lacked a right. */
  missingRights: RefusedUse[];
  /** What the features add to interactions from now on. By default the workspace isn't connected. */
  provide: (provided: Partial<Provided>) => void;
  openContext: (teamId: string) => CallContext;
};

type Provided = { openService: OpenService; settings: Pick<WorkspaceSettings, 'approvers'> };

const noSettings: WorkspaceSettings = {
  ...defaultSettings,
  approvalsChannel: undefined,
  approvers: [],
  deleteGraceMinutes: 0,
  weakeningApprovals: 1,
  access: defaultAccess,
};

/** The reference that a message or modal about a failure shows. */
export function referenceIn(shown: unknown): string {
  return /Reference ([0-9a-f]{8})/.exec(JSON.stringify(shown))?.[1] ?? 'none';
}

/** A local Slack and Belay's listeners, with only the features that a test registers. */
export async function listen(
  now: MonotonicClock = monotonicClock,
  chooseConnection: CallContext['chooseConnection'] = async () => ({
    originId: undefined,
    name: undefined,
  }),
): Promise<Listening> {
  const logged: string[] = [];
  const waiting = new Set<() => void>();
  const log = createLogger('trace', {
    write(line) {
      logged.push(line);
      for (const look of waiting) look();
    },
  });
  const workspace = createWorkspace();
  const slack = await startLocalSlack({ workspace });
  const { botToken, signingSecret } = workspace.app;
  const settings = { signingSecret, appToken: undefined, apiUrl: slack.apiUrl };
  let tokenReady = Promise.resolve();
  const readToken = async () => {
    await tokenReady;
    return { token: botToken, version: '1' };
  };
  const slackApp = await createSlackApp(settings, readToken, { log, clock: systemClock });
  const { clients } = slackApp;
  const client = await clients.clientFor(workspace.teamId);
  const port = await slackApp.start(0, '127.0.0.1');
  slack.connectApp(`http://127.0.0.1:${port}/slack/events`);
  onTestFinished(async () => {
    await slackApp.stop();
    await slack.close();
  });

  const provided: Provided = { openService: async () => undefined, settings: { approvers: [] } };
  const openContext = (teamId: string) => {
    const about = (connection: CallContext['connection']): CallContext => ({
      connection,
      about,
      chooseConnection,
      connections: async () => [],
      settings: async () => ({ ...noSettings, ...provided.settings }),
      async service(which = connection) {
        const service = await provided.openService(teamId, which);
        if (!service) throw new Refusal(notConnected);
        return service;
      },
    });
    return about(undefined);
  };
  const outsiders: Outsider[] = [];
  const missingRights: RefusedUse[] = [];
  const listeners = createListeners(slackApp.app, {
    log,
    clients,
    findInstallPage: async () => undefined,
    now,
    authorize: async (person) => ({ person }),
    onOutsiderRefused: async (outsider) => void outsiders.push(outsider),
    async onRightMissing(refused) {
      missingRights.push(refused);
      // The person is answered nevertheless.
      throw new Error('the database is down');
    },
    openContext,
    describeFailure: () => 'It broke.',
  });
  const person = (slackUserId: string) => actAs(slack, slackUserId);

  return {
    slack,
    workspace,
    listeners,
    client,
    clients,
    person,
    delayToken(until) {
      tokenReady = until;
    },
    logged,
    outsiders,
    missingRights,
    openContext,
    provide: (given) => void Object.assign(provided, given),
    async post(message) {
      await client.chat.postMessage({ channel: opsChannelId, ...message });
      return person(people.ana).seeMessage(message.text);
    },
    seeLogged: (text) =>
      new Promise((resolve) => {
        const look = () => {
          const line = logged.find((one) => one.includes(text));
          if (line) resolve(line);
        };
        waiting.add(look);
        look();
      }),
  };
}
