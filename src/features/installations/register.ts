import PQueue from 'p-queue';
import { monotonicClock } from '../../clock.ts';
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

/** Of a state that was used in the last 10 minutes. */
type Exchange = Pick<PageRequest, 'network'> & {
  state: string;
  at: number;
  priority: number;
  isWaiting: boolean;
};

type PageDependencies = FinishDependencies & {
  stateSecret: string;
  newReference: () => string;
};

/**
 * Anybody can begin an installation and return with a made-up code, which only Slack can tell from a
 * real one. Slack exchanges 600 codes and refresh tokens per minute for an app, so each process begins
 * at most two exchanges per second: first for networks that began none recently, then for one after
 * the other.
 */
const pace = { interval: 500, intervalCap: 1 };
/** A wait of 5 seconds for codes of the same network, and of 30 seconds for all. */
const maxWaitingPerNetwork = 10;
const maxAhead = 60;
const stateLifetimeMs = cookieSeconds * 1000;

/** The pages that install Belay with OAuth: one with a button, and the one that Slack returns to. */
export function createInstallPages(dependencies: PageDependencies): Pages {
  const { oauthApp, stateSecret: secret, clock, log, newReference } = dependencies;
  const turns = new PQueue(pace);
  let exchanges: Exchange[] = [];

  /** Takes a state for its one exchange, and waits for its turn. */
  async function takeTurn(
    { state, network }: Pick<Exchange, 'state' | 'network'>,
    exchange: () => Promise<PageResponse>,
  ): Promise<PageResponse> {
    const at = monotonicClock();
    exchanges = exchanges.filter((one) => one.isWaiting || one.at > at - stateLifetimeMs);
    if (exchanges.some((one) => one.state === state)) return failurePage('foreign');
    const own = exchanges.filter((one) => one.network === network);
    const ownWaiting = own.filter(({ isWaiting }) => isWaiting).length;
    const priority = own.length === 0 ? 0 : -1 - ownWaiting;
    const ahead = exchanges.filter((one) => one.isWaiting && one.priority >= priority).length;
    if (ownWaiting >= maxWaitingPerNetwork || ahead >= maxAhead) return failurePage('busy');
    const taken = { state, network, at, priority, isWaiting: true };
    exchanges.push(taken);
    return turns.add(
      () => {
        taken.isWaiting = false;
        return exchange();
      },
      { priority },
    );
  }

  async function begin({ cookies }: PageRequest): Promise<PageResponse> {
    const cookie = chooseCookie(cookies);
    const state = signState(cookie, { secret, now: clock() });
    const scopes = [...requiredScopes, ...eventScopes, ...groupScopes];
    const response = installPage(authorizeUrl(oauthApp, { scopes, state }));
    return withCookie(response, cookie, cookieSeconds);
  }

  async function finish({ query, cookies, network }: PageRequest): Promise<PageResponse> {
    const state = query.get('state') ?? '';
    const checked = checkState(state, cookies, { secret, now: clock() });
    if (checked !== 'valid') return failurePage(checked);
    if (query.get('error') === 'access_denied') return failurePage('canceled');
    const code = query.get('code');
    if (!code) return failurePage('refused');
    return takeTurn({ state, network }, () => exchange(code));
  }

  async function exchange(code: string): Promise<PageResponse> {
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
