import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../../clock.ts';
import type { Logger } from '../../../logger.ts';
import { enqueueMessages } from '../../../postings/outbox/enqueue.ts';
import type { Page, PageRequest, PageResponse, Pages } from '../../../slack/server/page.ts';
import { newReference } from '../../../tracing.ts';
import type { TokenLink, TokenPageStore } from '../../../workspace/store/token-pages.ts';
import { tokenReceivedMessage } from '../views/token-link.ts';
import { enterTokenPage, tokenProblemPage, tokenReceivedPage } from '../views/token-pages.ts';

export const tokenPagePath = '/setup/token';

const cookieName = 'belay-token-form';
const cookieSeconds = 600;
/** 32 random bytes. */
const nonceFormat = /^[\w-]{43}$/;
const tokenFormat = /^\S{1,3000}$/;

/** Undefined where Belay has no address that browsers can open. */
export type TokenPages = TokenPageHost | undefined;

type TokenPageHost = {
  store: TokenPageStore;
  /** Belay's own address: scheme, host and port. */
  publicUrl: string;
};

/**
 * The page of a link that one admin got in Slack: takes an API token once. Opening the page doesn't use
 * the link, because mail and chat programs open links too. A cookie, whose value the form repeats, ties
 * the form to the browser that shows it.
 */
export function createTokenPages({
  store,
  publicUrl,
  clock,
  log,
}: TokenPageHost & { clock: Clock; log: Logger }): Pages {
  const openTeams = new Set<string>();

  /**
   * Strangers can't make a link, so they cost no statement. Whoever has one can repeat it, so each
   * workspace has one statement at a time: the admins of one can't keep others from the database.
   */
  async function withLink(
    link: string,
    use: (opened: TokenLink) => Promise<PageResponse>,
  ): Promise<PageResponse> {
    const opened = store.readLink(link);
    if (!opened) return tokenProblemPage('gone');
    const { teamId } = opened;
    if (openTeams.has(teamId)) return tokenProblemPage('busy');
    openTeams.add(teamId);
    try {
      return await use(opened);
    } finally {
      openTeams.delete(teamId);
    }
  }

  async function show({ query, cookies }: PageRequest): Promise<PageResponse> {
    const link = query.get('link') ?? '';
    return withLink(link, async (opened) => {
      const facts = await store.find(opened, clock());
      if (!facts) return tokenProblemPage('gone');
      const nonce = readCookie(cookies) ?? randomBytes(32).toString('base64url');
      return withCookie(enterTokenPage(facts, { link, nonce }), nonce);
    });
  }

  const receive: Page['post'] = async ({ form, cookies, fetchSite = 'same-origin' }) => {
    const nonce = readCookie(cookies);
    const isOwnForm = nonce !== undefined && isEqual(nonce, form.get('nonce') ?? '');
    if (!isOwnForm || fetchSite !== 'same-origin') return tokenProblemPage('foreign');
    const token = (form.get('token') ?? '').trim();
    if (!tokenFormat.test(token)) return tokenProblemPage('unreadable');
    return withLink(form.get('link') ?? '', async (link) => {
      const at = clock();
      const isReceived = await store.receive({ link, token, at }, (trx, page) => {
        const { teamId, createdBy, pageId, shown } = page;
        const to = { teamId, channelId: createdBy, ownerSlackUserId: createdBy };
        const message = tokenReceivedMessage(shown);
        return enqueueMessages(trx, to, [{ subject: `token-page:${pageId}`, message }], at);
      });
      return isReceived ? tokenReceivedPage() : tokenProblemPage('gone');
    });
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
  return value !== undefined && nonceFormat.test(value) ? value : undefined;
}

function isEqual(expected: string, given: string): boolean {
  const [one, other] = [Buffer.from(expected), Buffer.from(given)];
  return one.length === other.length && timingSafeEqual(one, other);
}
