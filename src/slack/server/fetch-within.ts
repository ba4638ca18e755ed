/** Long enough for what holds up one call in many, and short for an alert that is to be posted. */
const defaultRetrySeconds = '10';

/**
 * `fetch` with a time-out for those that bring none: Bolt answers a response_url with the client's
 * fetch but without the client's time-out. Slack's client takes a 429 for a request to wait only if
 * it reads for how many seconds, which what stands between may leave out.
 */
export const fetchWithin =
  (ms: number): typeof fetch =>
  async (input, init) => {
    const answer = await fetch(input, { ...init, signal: init?.signal ?? AbortSignal.timeout(ms) });
    const isReadable = /^\d+$/.test(answer.headers.get('retry-after')?.trim() ?? '');
    if (answer.status !== 429 || isReadable) return answer;
    const headers = new Headers(answer.headers);
    headers.set('retry-after', defaultRetrySeconds);
    return new Response(answer.body, { status: 429, statusText: answer.statusText, headers });
  };
