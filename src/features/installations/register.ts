import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import PQueue from 'p-queue';
import { type Clock, monotonicClock } from '../../clock.ts';
import { addSeconds } from '../../dates.ts';
import type { Logger } from '../../logger.ts';
import {
  authorizeUrl,
  clientUrl,
  exchangeCode,
  type OAuthAnswer,
  type OAuthApp,
} from '../../slack/api/exchange-code.ts';
import { eventScopes, groupScopes, requiredScopes } from '../../slack/api/installation.ts';
import type { PageRequest, PageResponse, Pages } from '../../slack/server/page.ts';
import { newReference } from '../../tracing.ts';
import type { Organizations } from './organizations.ts';
import type { Grant, InstallationStore } from './store/installation-store.ts';
import type { Uninstaller } from './uninstall.ts';
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

/** The pages that install Belay with OAuth: one with a button, and the one that Slack returns to. */
export function createInstallPages(
  dependencies: FinishDependencies & { stateSecret: string },
): Pages {
  const { oauthApp, stateSecret: secret, clock, log } = dependencies;
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
    return withCookie(installPage(authorizeUrl(oauthApp, { scopes, state })), cookie);
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
      if (finished.result === 'installed')
        return installedPage(clientUrl(oauthApp, finished.teamId));
      if (finished.result === 'installed-in-organization') return organizationPage(finished);
      return failurePage(finished.result);
    } catch (error) {
      const reference = newReference();
      log.error({ reference, err: error }, 'an installation failed');
      return failurePage('failed', reference);
    }
  }

  /** Lax, because the browser comes back from Slack's site. */
  function withCookie(response: PageResponse, value: string): PageResponse {
    const isSecure = oauthApp.redirectUri.startsWith('https:');
    const attributes = [
      ...[`${installCookie}=${value}`, `Path=/slack`, `Max-Age=${cookieSeconds}`],
      ...['HttpOnly', 'SameSite=Lax', ...(isSecure ? ['Secure'] : [])],
    ];
    return { ...response, headers: { ...response.headers, 'set-cookie': attributes.join('; ') } };
  }

  return new Map([
    [installPath, { get: begin }],
    // The cookie stays: it also belongs to what was begun in another tab.
    [redirectPath, { get: finish }],
  ]);
}

/*
 * The OAuth state, which proves that the browser that comes back from Slack is the one that left:
 * `<expiry>.<signature>`, signed together with a random value that only that browser has, in a cookie.
 * https://docs.slack.dev/authentication/installing-with-oauth#asking
 */

const installCookie = 'belay-install';
const stateLifetimeMs = 10 * 60_000;
const cookieSeconds = stateLifetimeMs / 1000;

/** 32 random bytes. */
const cookieFormat = /^[\w-]{43}$/;

/** The value of the browser's cookie: the one it has, so that two open tabs both work, or a new one. */
function chooseCookie(cookies: string | undefined): string {
  return readCookie(cookies) ?? randomBytes(32).toString('base64url');
}

function signState(cookie: string, { secret, now }: { secret: string; now: Date }): string {
  const expiresAt = String(now.getTime() + stateLifetimeMs);
  return `${expiresAt}.${signature(expiresAt, cookie, secret)}`;
}

/** `foreign`: forged, or begun in another browser. */
function checkState(
  state: string,
  cookies: string | undefined,
  { secret, now }: { secret: string; now: Date },
): 'valid' | 'expired' | 'foreign' {
  const cookie = readCookie(cookies);
  const [, expiresAt, signed] = /^(\d{1,15})\.([\w-]{43})$/.exec(state) ?? [];
  if (cookie === undefined || expiresAt === undefined || signed === undefined) return 'foreign';
  const expected = Buffer.from(signature(expiresAt, cookie, secret));
  if (!timingSafeEqual(expected, Buffer.from(signed))) return 'foreign';
  return Number(expiresAt) > now.getTime() ? 'valid' : 'expired';
}

function signature(expiresAt: string, cookie: string, secret: string): string {
  return createHmac('sha256', secret).update(`install ${expiresAt} ${cookie}`).digest('base64url');
}

function readCookie(cookies = ''): string | undefined {
  const pairs = cookies.split(';').map((pair) => pair.trim().split('='));
  const value = pairs.find(([name]) => name === installCookie)?.[1];
  return value !== undefined && cookieFormat.test(value) ? value : undefined;
}

type FinishDependencies = {
  store: Pick<InstallationStore, 'save'>;
  organizations: Pick<Organizations, 'refresh'>;
  uninstaller: Pick<Uninstaller, 'purgeUninstalled'>;
  oauthApp: OAuthApp;
  clock: Clock;
  log: Logger;
};

type FinishResult =
  | { result: 'installed'; teamId: string }
  | { result: 'installed-in-organization'; organizationId: string; appId: string }
  | { result: 'refused' }
  | { result: 'wrong-app' };

/**
 * Exchanges the code and stores what Slack granted. Installing again replaces the tokens; settings and
 * everything else of the workspace stay, unless the app was uninstalled before.
 * @throws if Slack can't be reached or answers otherwise than documented, or the database fails
 */
export async function finishInstall(
  code: string,
  { store, organizations, uninstaller, oauthApp, clock, log }: FinishDependencies,
): Promise<FinishResult> {
  const exchanged = await exchangeCode(oauthApp, code, log);
  if ('refused' in exchanged) {
    log.warn({ code: exchanged.refused }, 'Slack refused an installation');
    return { result: 'refused' };
  }
  const { answer } = exchanged;
  const { team, enterprise, is_enterprise_install: isOrganization } = answer;
  const place = isOrganization ? enterprise : team;
  if (!place) throw new Error('Slack granted an installation in no workspace');
  await uninstaller.purgeUninstalled(place.id);
  const now = clock();
  const grant = toGrant(answer, place.id, now);
  const { teamId, enterpriseId, appId } = grant;
  if ((await store.save(grant, now)) === 'wrong-app') {
    log.error({ teamId, enterpriseId, appId }, 'Belay is installed with another Slack app');
    return { result: 'wrong-app' };
  }
  log.info({ teamId, enterpriseId, installedBy: grant.installedBy }, 'Belay was installed');
  if (!isOrganization) return { result: 'installed', teamId };
  await organizations.refresh(teamId);
  return { result: 'installed-in-organization', organizationId: teamId, appId };
}

function toGrant(answer: OAuthAnswer, teamId: string, now: Date): Grant {
  const { refresh_token: refreshToken } = answer;
  return {
    teamId,
    enterpriseId: answer.enterprise?.id,
    appId: answer.app_id,
    botToken: answer.access_token,
    refreshToken,
    // Only tokens that Slack rotates expire.
    expiresAt: refreshToken === undefined ? undefined : addSeconds(now, answer.expires_in),
    installedBy: answer.authed_user.id,
  };
}
