import { randomBytes, timingSafeEqual } from 'node:crypto';
import { type Clock, type MonotonicClock, monotonicClock } from '../../../clock.ts';
import type { Logger } from '../../../logger.ts';
import type { EnqueueMessages } from '../../../outbox/index.ts';
import type { Page, PageRequest, PageResponse, Pages } from '../../../slack/server/page.ts';
import type { TokenPageStore } from '../../workspaces/index.ts';
import { tokenReceivedMessage } from '../views/token-link.ts';
import { enterTokenPage, tokenProblemPage, tokenReceivedPage } from '../views/token-pages.ts';

export const tokenPagePath = '/setup/token';

const cookieName = 'belay-token-form';
const cookieSeconds = 600;
/** 32 random bytes, of links and of cookies. */
const randomFormat = /^[\w-]{43}$/;
const tokenFormat = /^\S{1,3000}$/;

/** Anybody can open the page, so this limits what they can look up. */
const maxPerMinute = 60;
const minuteMs = 60_000;

/** Undefined where Belay has no address that browsers can open. */
export type TokenPages = TokenPageHost | undefined;

type TokenPageHost = {
  store: TokenPageStore;
  /** Belay's own address: scheme, host and port. */
  publicUrl: string;
};

type PageDependencies = TokenPageHost & {
  enqueueMessages: EnqueueMessages;
  clock: Clock;
  now?: MonotonicClock;
  log: Logger;
  newReference: () => string;
};

/**
 * The page of a link that one admin got in Slack: takes an API token once. Opening the page doesn't use
 * the link, because mail and chat programs open links too. A cookie, whose value the form repeats, ties
 * the form to the browser that shows it.
 */
export function createTokenPages(dependencies: PageDependencies): Pages {
  const { store, publicUrl, enqueueMessages, clock, log, newReference } = dependencies;
  const { now = monotonicClock } = dependencies;
  let lookups: number[] = [];

  function isBusy(): boolean {
    const lookedUpAt = now();
    lookups = lookups.filter((at) => at > lookedUpAt - minuteMs);
    if (lookups.length >= maxPerMinute) return true;
    lookups.push(lookedUpAt);
    return false;
  }

  async function show({ query, cookies }: PageRequest): Promise<PageResponse> {
    const secret = query.get('link') ?? '';
    if (!randomFormat.test(secret)) return tokenProblemPage('gone');
    if (isBusy()) return tokenProblemPage('busy');
    const facts = await store.find(secret, clock());
    if (!facts) return tokenProblemPage('gone');
    const nonce = readCookie(cookies) ?? randomBytes(32).toString('base64url');
    return withCookie(enterTokenPage(facts, { link: secret, nonce }), nonce);
  }

  const receive: Page['post'] = async ({ form, cookies, fetchSite = 'same-origin' }) => {
    const nonce = readCookie(cookies);
    const isOwnForm = nonce !== undefined && isEqual(nonce, form.get('nonce') ?? '');
    if (!isOwnForm || fetchSite !== 'same-origin') return tokenProblemPage('foreign');
    const secret = form.get('link') ?? '';
    if (!randomFormat.test(secret)) return tokenProblemPage('gone');
    const token = (form.get('token') ?? '').trim();
    if (!tokenFormat.test(token)) return tokenProblemPage('unreadable');
    if (isBusy()) return tokenProblemPage('busy');
    const at = clock();
    const isReceived = await store.receive({ secret, token, at }, (trx, page) => {
      const { teamId, createdBy, pageId, shown } = page;
      const to = { teamId, channelId: createdBy, ownerSlackUserId: createdBy };
      const message = tokenReceivedMessage(shown);
      return enqueueMessages(trx, to, [{ subject: `token-page:${pageId}`, message }], at);
    });
    return isReceived ? tokenReceivedPage() : tokenProblemPage('gone');
  };

  /** `SameSite=Strict`, because only Belay's own page sends the form. */
  function withCookie(response: PageResponse, value: string): PageResponse {
    const attributes = [
      ...[`${cookieName}=${value}`, `Path=${tokenPagePath}`, `Max-Age=${cookieSeconds}`],
      ...['HttpOnly', 'SameSite=Strict', ...(publicUrl.startsWith('https:') ? ['Secure'] : [])],
    ];
    return { ...response, headers: { ...response.headers, 'set-cookie': attributes.join('; ') } };
  }

  /** A failure is answered without its cause, which might name what was entered. */
  async function reportFailure(work: () => Promise<PageResponse>): Promise<PageResponse> {
    try {
      return await work();
    } catch (error) {
      const reference = newReference();
      const name = error instanceof Error ? error.name : typeof error;
      log.error({ reference, error: name }, 'a page to enter a token failed');
      return tokenProblemPage('failed', reference);
    }
  }

  const page: Page = {
    get: (request) => reportFailure(() => show(request)),
    post: (request) => reportFailure(() => receive(request)),
  };
  return new Map([[tokenPagePath, page]]);
}

function readCookie(cookies = ''): string | undefined {
  const pairs = cookies.split(';').map((pair) => pair.trim().split('='));
  const value = pairs.find(([name]) => name === cookieName)?.[1];
  return value !== undefined && randomFormat.test(value) ? value : undefined;
}

function isEqual(expected: string, given: string): boolean {
  const [one, other] = [Buffer.from(expected), Buffer.from(given)];
  return one.length === other.length && timingSafeEqual(one, other);
}
