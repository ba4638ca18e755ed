import type { IncomingMessage, ServerResponse } from 'node:http';
import { parseJson } from '../../src/json.ts';
import type { AppLink } from './app-link.ts';
import { servePage } from './html-page.ts';
import { isOwnRequest, readBody, sendJson } from './http.ts';
import { APPS_PATH, answerApps } from './installations/apps-page.ts';
import type { Directory } from './installations/directory.ts';
import { targetId } from './installations/installation.ts';
import type { LocalWorkspace } from './local-workspace.ts';
import { AUTHORIZE_PATH, answerAuthorize } from './oauth/answer-authorize.ts';
import type { OutageSwitch } from './outage.ts';
import { isPagePath, servePageApi } from './page-api.ts';
import { paths } from './protocol.ts';
import { answerAt, RESPONSE_PATH } from './response-url.ts';
import { API_PATH, type ApiRecord, serveApi } from './web-api/endpoint.ts';

type Parts = {
  directory: Directory;
  workspaces: ReadonlyMap<string, LocalWorkspace>;
  link: AppLink;
  record: ApiRecord;
  outage: OutageSwitch;
  page: ((request: IncomingMessage, response: ServerResponse) => void | Promise<void>) | undefined;
  /** Empty until the server listens. */
  origin: Readonly<{ url: string; port: number }>;
};

const responseFault = 'response_url';

/** Answers a post to a response URL. */
const serveResponse = async (
  { directory, record }: Parts,
  token: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const startedAt = performance.now();
  const states = [...directory.states.values()];
  const state = states.find(({ responseUrls }) => responseUrls.has(token));
  const target = state?.installation?.target;
  const fault = record.faults.take(responseFault, target && targetId(target));
  if (typeof fault === 'object' && 'status' in fault) {
    return void response.writeHead(fault.status).end();
  }
  const body = parseJson(await readBody(request));
  if (state) {
    const { teamId } = state.workspace;
    record.received.push({ teamId, via: responseFault, content: body, at: directory.clock() });
  }
  const answer = answerAt(state, token, body);
  record.exchanges.add({
    at: directory.clock().toISOString(),
    startedAt,
    to: 'slack',
    name: responseFault,
    outcome: answer.body.error ?? 'ok',
    request: body,
    response: answer.body,
  });
  sendJson(response, answer.status, answer.body);
};

/** The workspace of the page: the first that has the person. */
const pagePortOf = ({ directory, workspaces }: Parts, url: URL) => {
  const slackUserId = url.searchParams.get('as') ?? '';
  const state = [...directory.states.values()].find(({ people }) => people.has(slackUserId));
  const workspace = state && workspaces.get(state.workspace.teamId);
  if (!state || !workspace) return undefined;
  return { ...workspace, hasPerson: (id: string) => state.people.has(id) };
};

const clientPath = '/client/';

/** The page as the person who installed the app in the workspace, who was sent here after that. */
const openClient = ({ states }: Directory, teamId: string, response: ServerResponse): void => {
  const person = states.get(teamId)?.installation?.installerId;
  response.writeHead(302, { Location: person ? `/?as=${encodeURIComponent(person)}` : '/' }).end();
};

const pages = new Map([
  [AUTHORIZE_PATH, answerAuthorize],
  [APPS_PATH, answerApps],
]);

/** Routes requests of the app, of the OAuth page and the apps page, and of the browser page. */
export const createRouter =
  (parts: Parts) =>
  async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { directory, link, record, outage, page, origin } = parts;
    if (!isOwnRequest(request, origin.port))
      return sendJson(response, 403, { error: 'Requests from other origins are not allowed.' });
    const url = new URL(request.url ?? '/', origin.url);
    const isFromApp = [API_PATH, RESPONSE_PATH].some((path) => url.pathname.startsWith(path));
    if (isFromApp && outage.take(request, response)) return;
    if (url.pathname.startsWith(API_PATH)) {
      const openSocket = () => `ws://127.0.0.1:${origin.port}${link.socketMode.issuePath()}`;
      const context = { directory, baseUrl: origin.url, openSocket };
      return serveApi(context, record, url, request, response);
    }
    if (url.pathname.startsWith(RESPONSE_PATH) && request.method === 'POST') {
      const token = url.pathname.slice(RESPONSE_PATH.length);
      return serveResponse(parts, token, request, response);
    }
    const answerPage = pages.get(url.pathname);
    if (answerPage) {
      const requestUrl = link.requestUrl();
      const answerTo = (fields: URLSearchParams, isForm: boolean) =>
        answerPage(directory, requestUrl, fields, isForm);
      return servePage(answerTo, url, request, response);
    }
    if (url.pathname === paths.exchanges) {
      return sendJson(response, 200, record.exchanges.after(Number(url.searchParams.get('after'))));
    }
    if (isPagePath(url.pathname)) {
      const port = pagePortOf(parts, url);
      if (!port) return sendJson(response, 404, { error: 'Person not found.' });
      return servePageApi(port, url, request, response);
    }
    if (url.pathname.startsWith(clientPath)) {
      const teamId = decodeURIComponent(url.pathname.slice(clientPath.length));
      return openClient(directory, teamId, response);
    }
    if (page) return page(request, response);
    sendJson(response, 404, { error: 'Not found.' });
  };
