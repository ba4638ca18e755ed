import { z } from 'zod';

/** The token no longer works: it was revoked, or the app or its account is gone. */
const refusals = z.object({
  ok: z.literal(false),
  error: z.enum(['account_inactive', 'token_revoked', 'invalid_auth']),
});

/** `send`, which calls `onRefused` when Slack refuses the token of a call. */
export function noticeRefusals(send: typeof fetch, onRefused: () => void): typeof fetch {
  return async (input, init) => {
    const response = await send(input, init);
    if (response.ok) {
      const text = await response.clone().text();
      if (text.startsWith('{"ok":false') && refusals.safeParse(parseJson(text)).success)
        onRefused();
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
