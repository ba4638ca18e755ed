import type { Dispatcher } from 'undici';

type ExchangeRequest = {
  origin: string;
  path: string;
  method: Dispatcher.HttpMethod;
  headers: Record<string, string>;
  body?: string | undefined;
  signal?: AbortSignal | undefined;
  /** Called right before the request is put on the wire; it may abort the signal. */
  beforeSend?: (() => void) | undefined;
};

export type ExchangeResponse = {
  outcome: 'responded';
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
};

/** `sent`: the service may have received the request. `cause` may hold secrets: don't show it. */
export type ExchangeFailure = { outcome: 'failed'; sent: boolean; cause: unknown };

/**
 * One HTTP request and its complete response. Never rejects, never follows a redirect. Uses
 * undici's `dispatch`, because only that reports when a request is put on the wire, and because
 * `request()` ignores the signal while it connects or waits in the pool's queue.
 */
export function exchange(
  dispatcher: Dispatcher,
  { origin, path, method, headers, body, signal, beforeSend }: ExchangeRequest,
): Promise<ExchangeResponse | ExchangeFailure> {
  const { promise, resolve } = Promise.withResolvers<ExchangeResponse | ExchangeFailure>();
  let sent = false;
  let controller: Dispatcher.DispatchController | undefined;
  let head: Pick<ExchangeResponse, 'status' | 'headers'> = { status: 0, headers: {} };
  const chunks: Buffer[] = [];

  const settle = (result: ExchangeResponse | ExchangeFailure) => {
    signal?.removeEventListener('abort', onAbort);
    resolve(result);
  };
  const onAbort = () => {
    settle({ outcome: 'failed', sent, cause: signal?.reason });
    controller?.abort(new Error('aborted by the caller'));
  };
  if (signal?.aborted) {
    onAbort();
    return promise;
  }
  signal?.addEventListener('abort', onAbort, { once: true });

  dispatcher.dispatch(
    { origin, path, method, headers, body: body ?? null },
    {
      onRequestStart(started) {
        beforeSend?.();
        if (signal?.aborted) {
          started.abort(new Error('aborted by the caller'));
          return;
        }
        controller = started;
        sent = true;
      },
      onResponseStart(_controller, status, responseHeaders) {
        head = { status, headers: responseHeaders };
      },
      onResponseData(_controller, chunk) {
        chunks.push(chunk);
      },
      onResponseEnd() {
        const text = new TextDecoder().decode(Buffer.concat(chunks));
        settle({ outcome: 'responded', ...head, body: text });
      },
      onResponseError(_controller, cause) {
        settle({ outcome: 'failed', sent, cause });
      },
    },
  );
  return promise;
}
