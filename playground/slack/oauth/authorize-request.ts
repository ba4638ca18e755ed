import type { Directory } from '../installations/directory.ts';
import { listInstallTargets } from '../installations/install-targets.ts';
import type { InstallTarget } from '../installations/installation.ts';
import type { Grant } from './codes.ts';

/** The parameters with which an app sends a browser to the OAuth page. */
export type AuthorizeRequest = {
  clientId: string;
  scopes: string[];
  state: string;
  /** As it was sent; the exchange of the code must name the same. */
  redirectUri: string | undefined;
  /** Where the browser goes afterward. */
  returnTo: URL;
};

type Parsed = { ok: true; request: AuthorizeRequest } | { ok: false; error: string };

/** Reads the query or form of the OAuth page. Its errors are shown there, never redirected. */
export const parseAuthorizeRequest = (
  { app }: Directory,
  fields: URLSearchParams,
  appUrl: string | undefined,
): Parsed => {
  const clientId = fields.get('client_id') ?? '';
  if (clientId !== app.clientId) return { ok: false, error: 'invalid_client_id' };
  const scopes = (fields.get('scope') ?? '').split(/[ ,]+/).filter((scope) => scope !== '');
  if (scopes.length === 0) return { ok: false, error: 'no_scopes' };
  const allowed = app.redirectUrls ?? (appUrl ? [new URL(appUrl).origin] : []);
  const redirectUri = fields.get('redirect_uri') ?? undefined;
  const returnTo = URL.parse(redirectUri ?? allowed[0] ?? '');
  // A redirect URL may be below one that is configured.
  const isAllowed = returnTo && allowed.some((url) => isBelow(returnTo, new URL(url)));
  if (!isAllowed) return { ok: false, error: 'bad_redirect_uri' };
  if (scopes.some((scope) => !app.scopes.includes(scope))) {
    return { ok: false, error: 'invalid_scope' };
  }
  const state = fields.get('state') ?? '';
  return { ok: true, request: { clientId, scopes, state, redirectUri, returnTo } };
};

const isBelow = (url: URL, configured: URL): boolean =>
  url.origin === configured.origin && url.pathname.startsWith(configured.pathname);

/** The person who installs the app, and where. */
export type Choice = { target: InstallTarget; slackUserId: string };

/** `T…/U…` or `E…/U…`, the value of the field in the page. */
export const choiceValue = (targetId: string, slackUserId: string): string =>
  `${targetId}/${slackUserId}`;

export const findChoice = (directory: Directory, value: string): Choice | undefined => {
  for (const { id, target, installers } of listInstallTargets(directory)) {
    const person = installers.find((one) => choiceValue(id, one.slackUserId) === value);
    if (person) return { target, slackUserId: person.slackUserId };
  }
  return undefined;
};

/** The grant that a code stands for. */
export const grantOf = (
  { scopes, redirectUri }: AuthorizeRequest,
  { target, slackUserId }: Choice,
): Grant => ({ target, installerId: slackUserId, scopes, redirectUri });
