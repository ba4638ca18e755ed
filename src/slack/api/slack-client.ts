import { LogLevel, type Logger as SlackLogger } from '@slack/bolt';
import { WebClient, type WebClientOptions } from '@slack/web-api';
import type { Logger } from '../../logger.ts';
import { inCallSpan, isTraced, setFailed } from '../../tracing.ts';

/**
 * Slack's Web API for one workspace, `teamId`. A client is made only here, from that workspace's token,
 * so a function that is given one can't reach another workspace. Features pass it on to slack/ and
 * never call it.
 */
export type SlackClient = Readonly<{
  teamId: string;
  /** The organization (`E…`) that the token is for; undefined if it is the workspace's own. */
  organizationId?: string | undefined;
}> &
  Pick<WebClient, 'auth' | 'chat' | 'conversations' | 'usergroups' | 'users' | 'views'>;

/**
 * Every call names its workspace, because an organization's token works in several, and so that tests
 * find a call with another workspace's token. Only a client of the organization itself, for messages to
 * the person who installed Belay there, names none.
 */
export function createSlackClient(
  {
    token,
    teamId,
    organizationId,
  }: { token: string; teamId: string; organizationId?: string | undefined },
  options: WebClientOptions,
): SlackClient {
  const named = teamId === organizationId ? options : { ...options, teamId };
  const { auth, chat, conversations, usergroups, users, views } = new WebClient(token, named);
  return { teamId, organizationId, auth, chat, conversations, usergroups, users, views };
}

/** With the standard `fetch`; the client's own type declares only the part of it that it uses. */
export type ClientOptions = WebClientOptions & { fetch: typeof fetch };

/** A call to Slack. `method` is `response_url` for an answer to an interaction. */
export type SlackCall = { method: string; outcome: SlackOutcome; ms: number };

type SlackOutcome = 'ok' | 'refused' | 'rate-limited' | 'server-error' | 'timeout' | 'unreachable';

/**
 * Options for clients that never retry by themselves: a message that timed out may have been posted.
 * `timeoutMs` limits each call, and each answer to a response_url.
 */
export function clientOptions(
  {
    log,
    apiUrl,
    onCall,
  }: {
    log: Logger;
    apiUrl: string | undefined;
    onCall?: ((call: SlackCall) => void) | undefined;
  },
  timeoutMs: number,
): ClientOptions {
  return {
    logger: createSlackLogger(log),
    timeout: timeoutMs,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    fetch: observed(fetchAnswer(timeoutMs), onCall),
    ...(apiUrl ? { slackApiUrl: apiUrl } : {}),
  };
}

/**
 * The timeout for posting messages that nobody is waiting for. Longer than that of others: a message that
 * times out may arrive twice.
 */
export const deliveryTimeoutMs = 20_000;

/** Used when a 429 has no readable Retry-After header. */
const defaultRetryAfterSeconds = '10';

/** No answer of Slack is nearly as large: the largest, pages of people, have less than 1 MB. */
const maxAnswerBytes = 10 * 1024 * 1024;

type Answer = { response: Response; body: Buffer<ArrayBuffer> };

/**
 * `fetch` with a timeout for calls without one, and a limit for the size of the answer: Bolt answers a
 * response_url with the client's fetch but without its timeout, and neither has a limit. The client
 * recognizes a 429 as rate limiting only by a Retry-After header, which a proxy may have dropped.
 * @throws if the answer is too large, even if only when decompressed
 */
function fetchAnswer(timeoutMs: number) {
  return async (...[input, init]: Parameters<typeof fetch>): Promise<Answer> => {
    const signal = init?.signal ?? AbortSignal.timeout(timeoutMs);
    const fetched = await fetch(input, { ...init, signal });
    const body = await readBody(fetched);
    const { status, statusText } = fetched;
    const headers = new Headers(fetched.headers);
    // The body is decompressed, and the client would decompress what calls itself gzip without a limit.
    for (const name of ['content-encoding', 'content-length', 'content-type']) headers.delete(name);
    const isReadable = /^\d+$/.test(headers.get('retry-after')?.trim() ?? '');
    if (status === 429 && !isReadable) headers.set('retry-after', defaultRetryAfterSeconds);
    const response = new Response(body.length > 0 ? body : null, { status, statusText, headers });
    return { response, body };
  };
}

async function readBody({ body }: Response): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > maxAnswerBytes) throw new Error("Slack's answer is larger than 10 MB");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Reports and traces every call: only here are the calls of Bolt's own clients seen too. */
function observed(
  send: ReturnType<typeof fetchAnswer>,
  onCall: ((call: SlackCall) => void) | undefined,
): typeof fetch {
  return async (input, init) => {
    if (!onCall && !isTraced()) return (await send(input, init)).response;
    const startedAt = performance.now();
    const method = methodOf(String(input instanceof Request ? input.url : input));
    return inCallSpan(`Slack ${method}`, { 'slack.method': method }, async (span) => {
      const report = (outcome: SlackOutcome) => {
        span?.setAttribute('slack.outcome', outcome);
        if (outcome !== 'ok') setFailed(outcome);
        onCall?.({ method, outcome, ms: performance.now() - startedAt });
      };
      const answer = await send(input, init).catch((error: unknown) => {
        const isTimeout = error instanceof Error && error.name === 'TimeoutError';
        report(isTimeout ? 'timeout' : 'unreachable');
        throw error;
      });
      report(outcomeOf(answer));
      return answer.response;
    });
  };
}

function methodOf(url: string): string {
  return /\/api\/([a-z]+(?:\.[a-zA-Z]+)+)$/.exec(new URL(url).pathname)?.[1] ?? 'response_url';
}

/** The Web API refuses with status 200 and `ok: false`; a response_url answers with plain text. */
function outcomeOf({ response, body }: Answer): SlackOutcome {
  if (response.status === 429) return 'rate-limited';
  if (response.status >= 500) return 'server-error';
  if (!response.ok) return 'refused';
  return body.toString('utf8', 0, refusedStart.length) === refusedStart ? 'refused' : 'ok';
}

const refusedStart = '{"ok":false';

/**
 * The logger of Bolt and the Web API client. Only warnings and errors pass, whatever Belay's level:
 * their debug log prints whole views and messages.
 */
export function createSlackLogger(log: Logger): SlackLogger {
  const child = log.child({ from: 'slack' });
  return {
    debug: () => undefined,
    info: () => undefined,
    warn: (...parts: unknown[]) => child.warn(parts.map(String).join(' ')),
    error: (...parts: unknown[]) => child.error(parts.map(String).join(' ')),
    setLevel: () => undefined,
    getLevel: () => LogLevel.WARN,
    setName: () => undefined,
  };
}
