import type { PageAnswer } from '../html-page.ts';
import type { Directory } from '../installations/directory.ts';
import { authorizePage, errorPage } from './authorize-page.ts';
import {
  type AuthorizeRequest,
  type Choice,
  findChoice,
  grantOf,
  parseAuthorizeRequest,
} from './authorize-request.ts';
import { issueCode } from './codes.ts';

export const AUTHORIZE_PATH = '/oauth/v2/authorize';

/** Slack doesn't install an app in a workspace if the whole organization has the app. */
const isInstalledInOrganization = ({ installations }: Directory, { target }: Choice): boolean =>
  target.kind === 'workspace' &&
  [...installations.values()].some(
    (one) => one.target.kind === 'organization' && one.teamIds.includes(target.teamId),
  );

type Decided = { ok: true; returnTo: URL } | { ok: false; error: string };

/** The address that a decision redirects to. */
const decide = (
  directory: Directory,
  request: AuthorizeRequest,
  fields: URLSearchParams,
): Decided => {
  const { returnTo, state } = request;
  returnTo.searchParams.set('state', state);
  if (fields.get('decision') !== 'allow') {
    returnTo.searchParams.set('error', 'access_denied');
    return { ok: true, returnTo };
  }
  const choice = findChoice(directory, fields.get('choice') ?? '');
  if (!choice) return { ok: false, error: 'no_permission' };
  if (isInstalledInOrganization(directory, choice)) {
    return { ok: false, error: 'cannot_install_an_org_installed_app' };
  }
  const now = directory.clock().getTime();
  returnTo.searchParams.set('code', issueCode(directory.codes, grantOf(request, choice), now));
  return { ok: true, returnTo };
};

/** Answers requests for the OAuth page and submissions of its form. https://docs.slack.dev/authentication/installing-with-oauth */
export const answerAuthorize = (
  directory: Directory,
  appUrl: string | undefined,
  fields: URLSearchParams,
  isForm: boolean,
): PageAnswer => {
  const parsed = parseAuthorizeRequest(directory, fields, appUrl);
  if (!parsed.ok) return { status: 400, html: errorPage(parsed.error) };
  if (!isForm) {
    return { status: 200, html: authorizePage(directory, fields, parsed.request.scopes) };
  }
  const decided = decide(directory, parsed.request, fields);
  if (!decided.ok) return { status: 403, html: errorPage(decided.error) };
  return { status: 302, location: decided.returnTo.href };
};
