import type { IncomingMessage, ServerResponse } from 'node:http';
import { readBody } from '../http.ts';
import type { Directory } from '../installations/directory.ts';
import { authorizePage, errorPage } from './authorize-page.ts';
import {
  type AuthorizeRequest,
  findChoice,
  grantOf,
  parseAuthorizeRequest,
} from './authorize-request.ts';
import { issueCode } from './codes.ts';

export const AUTHORIZE_PATH = '/oauth/v2/authorize';

const sendPage = (response: ServerResponse, status: number, html: string): void => {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
  });
  response.end(html);
};

/** The address that a decision leads to. @throws when the choice is not one that the page offers */
const decide = (directory: Directory, request: AuthorizeRequest, fields: URLSearchParams): URL => {
  const { returnTo, state } = request;
  if (fields.get('decision') === 'allow') {
    const choice = findChoice(directory, fields.get('choice') ?? '');
    if (!choice) throw new Error('This person may not install the app there.');
    const now = directory.clock().getTime();
    returnTo.searchParams.set('code', issueCode(directory.codes, grantOf(request, choice), now));
  } else {
    returnTo.searchParams.set('error', 'access_denied');
  }
  returnTo.searchParams.set('state', state);
  return returnTo;
};

/** The OAuth page, and what its form sends. https://docs.slack.dev/authentication/installing-with-oauth */
export const serveAuthorize = async (
  directory: Directory,
  appUrl: string | undefined,
  url: URL,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const isForm = request.method === 'POST';
  const fields = isForm ? new URLSearchParams(await readBody(request)) : url.searchParams;
  const parsed = parseAuthorizeRequest(directory, fields, appUrl);
  if (!parsed.ok) return sendPage(response, 400, errorPage(parsed.error));
  if (!isForm) {
    return sendPage(response, 200, authorizePage(directory, fields, parsed.request.scopes));
  }
  response.writeHead(302, { location: decide(directory, parsed.request, fields).href }).end();
};
