import { type MonotonicClock, monotonicClock } from '../../clock.ts';
import { authorizeUrl } from '../../slack/api/exchange-code.ts';
import { eventScopes, groupScopes, requiredScopes } from '../../slack/api/installation.ts';
import type { PageRequest, PageResponse, Pages } from '../../slack/server/page.ts';
import { type FinishDependencies, finishInstall } from './finish-install.ts';
import {
  checkState,
  chooseCookie,
  cookieSeconds,
  installCookie,
  signState,
} from './install-state.ts';
import {
  failurePage,
  installedPage,
  installPage,
  installPath,
  organizationPage,
} from './views/install-pages.ts';

export { installPath };
export const redirectPath = '/slack/oauth_redirect';

type PageDependencies = FinishDependencies & {
  stateSecret: string;
  newReference: () => string;
  now?: MonotonicClock;
};

/** Anybody can open the pages, so this limits the calls to Slack that they cause. */
const maxPerMinute = 30;
const minuteMs = 60_000;
const stateLifetimeMs = cookieSeconds * 1000;

/** The pages that install Belay with OAuth: one with a button, and the one that Slack returns to. */
export function createInstallPages(dependencies: PageDependencies): Pages {
  const { oauthApp, stateSecret: secret, clock, log, newReference } = dependencies;
  const { now = monotonicClock } = dependencies;
  let exchanges: { state: string; at: number }[] = [];

  /**
   * Takes a state for its one exchange. A used state doesn't count toward the limit, so one browser
   * can't use the limit up with it; the limit also bounds how many states are remembered.
   */
  function takeState(state: string): 'used' | 'busy' | 'taken' {
    const takenAt = now();
    exchanges = exchanges.filter(({ at }) => at > takenAt - stateLifetimeMs);
    if (exchanges.some((one) => one.state === state)) return 'used';
    const recent = exchanges.filter(({ at }) => at > takenAt - minuteMs);
    if (recent.length >= maxPerMinute) return 'busy';
    exchanges.push({ state, at: takenAt });
    return 'taken';
  }

  async function begin({ cookies }: PageRequest): Promise<PageResponse> {
    const cookie = chooseCookie(cookies);
    const state = signState(cookie, { secret, now: clock() });
    const scopes = [...requiredScopes, ...eventScopes, ...groupScopes];
    const response = installPage(authorizeUrl(oauthApp, { scopes, state }));
    return withCookie(response, cookie, cookieSeconds);
  }

  async function finish({ query, cookies }: PageRequest): Promise<PageResponse> {
    const state = query.get('state') ?? '';
    const checked = checkState(state, cookies, { secret, now: clock() });
    if (checked !== 'valid') return failurePage(checked);
    if (query.get('error') === 'access_denied') return failurePage('canceled');
    const code = query.get('code');
    if (!code) return failurePage('refused');
    const used = takeState(state);
    if (used !== 'taken') return failurePage(used === 'busy' ? 'busy' : 'foreign');
    try {
      const finished = await finishInstall(code, dependencies);
      if (finished.result === 'installed') return installedPage(finished.teamId);
      if (finished.result === 'installed-in-organization') return organizationPage(finished);
      return failurePage(finished.result);
    } catch (error) {
      const reference = newReference();
      log.error({ reference, err: error }, 'an installation failed');
      return failurePage('failed', reference);
    }
  }

  /** Lax, because the browser comes back from Slack's site. */
  function withCookie(response: PageResponse, value: string, maxAge: number): PageResponse {
    const isSecure = oauthApp.redirectUri.startsWith('https:');
    const attributes = [
      ...[`${installCookie}=${value}`, `Path=/slack`, `Max-Age=${maxAge}`],
      ...['HttpOnly', 'SameSite=Lax', ...(isSecure ? ['Secure'] : [])],
    ];
    return { ...response, headers: { ...response.headers, 'set-cookie': attributes.join('; ') } };
  }

  return new Map([
    [installPath, { get: begin }],
    // Whatever happened, the state was used: the next attempt begins with a new cookie.
    [redirectPath, { get: async (request) => withCookie(await finish(request), '', 0) }],
  ]);
}
