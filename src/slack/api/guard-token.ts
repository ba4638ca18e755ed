import { z } from 'zod';

/** The token no longer works: it was revoked, or the app or its account is gone. */
const refusals = z.object({
  ok: z.literal(false),
  error: z.enum(['account_inactive', 'token_revoked', 'invalid_auth']),
});

/** A listener may hold its client for longer: then the token is looked up again before a call. */
const trustedMs = 1000;

/**
 * `send` for one token. Calls `onRefused` when Slack refuses the token; and once the token is no longer
 * the workspace's, nothing is sent any more: the call is refused here, as Slack would.
 * @param lookUp `replaced`: there is another token, and this one can still work
 */
export function guardToken(
  send: typeof fetch,
  {
    lookUp,
    onRefused,
  }: { lookUp: () => Promise<'current' | 'replaced' | 'gone'>; onRefused: () => void },
): typeof fetch {
  let trustedUntil = performance.now() + trustedMs;
  let wasRefused = false;

  async function mayBeSent(): Promise<boolean> {
    if (!wasRefused && performance.now() < trustedUntil) return true;
    // Without the database nobody knows, and people wait for the answer.
    const found = await lookUp().catch(() => 'current' as const);
    trustedUntil = performance.now() + trustedMs;
    return found === 'current' || (found === 'replaced' && !wasRefused);
  }

  return async (input, init) => {
    if (!(await mayBeSent())) return Response.json({ ok: false, error: 'account_inactive' });
    const response = await send(input, init);
    if (response.ok) {
      const text = await response.clone().text();
      wasRefused = text.startsWith('{"ok":false') && refusals.safeParse(parseJson(text)).success;
      if (wasRefused) onRefused();
    }
    return response;
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
