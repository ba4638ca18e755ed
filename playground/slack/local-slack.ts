import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type Clock, systemClock } from '../../src/clock.ts';
import { listen } from '../listen.ts';
import { createAppLink, deliverFrom } from './app-link.ts';
import type { Deliver, RawRequest, RawResponse } from './delivery.ts';
import { createEventDelivery } from './event-delivery.ts';
import { sendMessageEvents } from './events.ts';
import { createExchangeLog, recordDeliveries } from './exchanges.ts';
import { sendHomeEvents } from './home-events.ts';
import { sendJson } from './http.ts';
import { createDirectory, grantTeams } from './installations/directory.ts';
import type { Organization } from './installations/installation.ts';
import { announceLifecycle } from './installations/lifecycle-events.ts';
import type { RefreshRecord } from './installations/refresh-tokens.ts';
import { uninstall } from './installations/uninstall.ts';
import { type LocalWorkspace, openWorkspace } from './local-workspace.ts';
import { allowInstallation, type Installer } from './oauth/allow-installation.ts';
import { createOutageSwitch, type Outage } from './outage.ts';
import type { Received } from './received.ts';
import { createRouter } from './route.ts';
import { changed, createState, resetState } from './state.ts';
import { starvedMs as measureStarvation } from './time-limit.ts';
import { API_PATH, type ApiRecord } from './web-api/endpoint.ts';
import { createFaultBook, type FaultBook } from './web-api/faults.ts';
import type { ApiCall } from './web-api/router.ts';
import type { Workspace } from './workspace.ts';

export type LocalSlackOptions = {
  workspace: Workspace;
  /** More workspaces, with the same app. */
  workspaces?: Workspace[];
  /** The organization that some of the workspaces belong to. */
  organization?: Organization;
  clock?: Clock;
  /**
   * The time in signed requests. By default the real time, also for a workspace with another clock: not
   * every app that a test starts shares that one.
   */
  requestClock?: Clock;
  port?: number;
  /** The app's request URL; `connectApp` can set it later. */
  requestUrl?: string;
  ackTimeoutMs?: number;
  /** How long this thread waited for the processor. Slack's time limits exclude it. */
  starvedMs?: () => number;
  /** Handles all other requests, such as those for the page. */
  page?: (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;
};

/** With several workspaces, `perform`, `snapshot` and the like act in the first one. */
export type LocalSlack = LocalWorkspace & {
  /** The origin of this server. */
  url: string;
  /** The base URL of the Web API; ends with `/api/`. */
  apiUrl: string;
  connectApp: (requestUrl: string) => void;
  /** @throws Error if there is no workspace with this id */
  workspace: (teamId: string) => LocalWorkspace;
  /**
   * Allows the app's request on the OAuth page, by default one for all scopes of the app. Resolves
   * to the address that the page redirects to, with the code.
   */
  install: Installer;
  /**
   * Removes the app from a workspace or the organization (`T…` or `E…`), as an admin does: its tokens
   * stop working immediately. Resolves after the first attempt to deliver the events.
   */
  uninstall: (targetId: string) => Promise<void>;
  /** Chooses the workspaces in which the organization's installation can be used. */
  grantTeams: (teamIds: readonly string[]) => void;
  calls: readonly ApiCall[];
  /** Everything that the app sent, by calls, response URLs and acknowledgements. */
  received: readonly Received[];
  /** Each exchange of a refresh token, refused ones included. */
  refreshes: readonly RefreshRecord[];
  /**
   * Makes the next call of this method fail with this error; `ratelimited` responds 429. The method
   * `response_url` stands for the next post to a response URL, which can fail with a status. With
   * `targetId` (`T…` or `E…`), the next call that has a token of this installation fails, refresh
   * tokens included.
   */
  failNext: FaultBook['add'];
  /** Makes all calls from the app fail, response URLs included, until it is set to undefined. */
  setOutage: (outage: Outage | undefined) => void;
  /** Drops the connections of Socket Mode without a close frame. */
  dropSockets: () => void;
  /** Delivers a custom payload to the app as Slack does, by HTTP or Socket Mode. */
  deliver: Deliver;
  /** Sends a custom request to the app, signed unless it has a signature. */
  sendRaw: (request: RawRequest) => Promise<RawResponse>;
  /** Sends every page what it shows, because the clock was moved. */
  refresh: () => void;
  reset: () => void;
  close: () => Promise<void>;
};

/** Starts a local Slack: the Web API, deliveries to the app, and the people who use it. */
export const startLocalSlack = async (options: LocalSlackOptions): Promise<LocalSlack> => {
  const { clock = systemClock, ackTimeoutMs = 3000, organization, page } = options;
  const { starvedMs = measureStarvation } = options;
  const ids = { given: 0 };
  const states = [options.workspace, ...(options.workspaces ?? [])].map((workspace) => {
    const isMember = organization?.teamIds.includes(workspace.teamId) === true;
    const owner = isMember ? organization : undefined;
    return createState(workspace, { clock, starvedMs, ids, organization: owner });
  });
  const directory = createDirectory(states, { clock, organization });
  const link = createAppLink(directory.app, {
    ackTimeoutMs,
    requestClock: options.requestClock ?? systemClock,
    initialUrl: options.requestUrl,
  });
  const record: ApiRecord = {
    calls: [],
    received: [],
    faults: createFaultBook(),
    rates: new Map(),
    exchanges: createExchangeLog(),
  };
  const deliver = recordDeliveries(link.deliver, record.exchanges, clock);
  const outage = createOutageSwitch();
  const origin = { url: '', port: 0 };

  const lifecycle = announceLifecycle(directory, deliver);
  directory.announce = lifecycle.announce;
  const deliveries = states.map((state) => {
    const delivery = createEventDelivery(deliverFrom(state, deliver, record.received));
    state.onMessage = sendMessageEvents(state, delivery);
    state.onHomeOpened = sendHomeEvents(state, delivery);
    return delivery;
  });
  const listed = states.map(({ workspace: { teamId, name, people } }) => {
    const slackUserId = people.find(({ isHidden }) => !isHidden)?.slackUserId ?? '';
    return { teamId, name, slackUserId };
  });
  const opened = states.map((state) => {
    const workspace = openWorkspace(state, {
      deliver: deliverFrom(state, deliver, record.received),
      baseUrl: () => origin.url,
      rates: record.rates,
      workspaces: listed,
    });
    return [state.workspace.teamId, workspace] as const;
  });
  const workspaces = new Map(opened);
  const workspace = (teamId: string): LocalWorkspace => {
    const found = workspaces.get(teamId);
    if (!found) throw new Error(`The local Slack has no workspace ${teamId}.`);
    return found;
  };

  const route = createRouter({ directory, workspaces, link, record, outage, page, origin });
  const server = createServer((request, response) => {
    route(request, response).catch(() => {
      if (response.headersSent) response.destroy();
      else sendJson(response, 500, { ok: false, error: 'internal_error' });
    });
  });
  // Longer than any pause of an app: a call must not meet a connection that is just being closed.
  server.keepAliveTimeout = 600_000;
  server.on('upgrade', link.socketMode.upgrade);
  const { baseUrl, close } = await listen(server, options.port ?? 0);
  origin.port = Number(new URL(baseUrl).port);
  origin.url = baseUrl;

  return {
    ...workspace(options.workspace.teamId),
    url: origin.url,
    apiUrl: `${origin.url}${API_PATH}`,
    connectApp: link.connect,
    workspace,
    install: allowInstallation(directory, origin.url),
    uninstall: (targetId) => uninstall(directory, targetId),
    grantTeams: (teamIds) => grantTeams(directory, teamIds),
    calls: record.calls,
    received: record.received,
    refreshes: directory.refreshes,
    failNext: record.faults.add,
    setOutage: outage.set,
    dropSockets: link.socketMode.dropAll,
    deliver: link.deliver,
    sendRaw: link.sendRaw,
    refresh: () => states.forEach(changed),
    reset: () => {
      record.calls.length = 0;
      record.received.length = 0;
      directory.refreshes.length = 0;
      record.faults.clear();
      record.rates.clear();
      record.exchanges.clear();
      for (const state of states) resetState(state);
    },
    close: async () => {
      for (const delivery of [lifecycle, ...deliveries]) delivery.close();
      outage.set(undefined);
      await link.socketMode.close();
      await close();
    },
  };
};
