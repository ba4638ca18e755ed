import { z } from 'zod';

/** The token no longer works: it was revoked, or the app or its account is gone. */
const refusals = z.object({
  ok: z.literal(false),
  error: z.enum(['account_inactive', 'token_revoked', 'invalid_auth']),
});

/**
 * `send` for one token. The token is looked up before each call, because a listener may hold the
 * client while the workspace uninstalls Belay: once the token is no longer the workspace's, the call is
 * refused here, as Slack would. Calls `onRefused` when Slack refuses the token.
 * @param lookUp `replaced`: there is another token, and this one can still work
 */
export function guardToken(
  send: typeof fetch,
  {
    lookUp,
    onRefused,
  }: { lookUp: () => Promise<'current' | 'replaced' | 'gone'>; onRefused: () => void },
): typeof fetch {
  let wasRefused = false;

  async function mayBeSent(): Promise<boolean> {
    // A failing database doesn't stop the call: people are waiting for its answer.
    const found = await lookUp().catch(() => 'current' as const);
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
