import type { IncomingMessage, ServerResponse } from 'node:http';
import { sendHtml } from '../html-page.ts';
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

/** The address that a decision leads to; undefined for a choice that the page doesn't offer. */
const decide = (
  directory: Directory,
  request: AuthorizeRequest,
  fields: URLSearchParams,
): URL | undefined => {
  const { returnTo, state } = request;
  if (fields.get('decision') === 'allow') {
    const choice = findChoice(directory, fields.get('choice') ?? '');
    if (!choice) return undefined;
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
  if (!parsed.ok) return sendHtml(response, 400, errorPage(parsed.error));
  if (!isForm) {
    return sendHtml(response, 200, authorizePage(directory, fields, parsed.request.scopes));
  }
  const returnTo = decide(directory, parsed.request, fields);
  if (!returnTo) return sendHtml(response, 403, errorPage('no_permission'));
  response.writeHead(302, { location: returnTo.href }).end();
};
