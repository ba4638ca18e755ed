import type { Dispatcher } from 'undici';

export type ExchangeRequest = {
  origin: string;
  path: string;
  method: Dispatcher.HttpMethod;
  headers: Record<string, string>;
  body?: string | undefined;
  signal?: AbortSignal | undefined;
};

export type ExchangeAnswer = {
  outcome: 'answered';
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
};

/** `sent` tells whether the service may have seen the request; `cause` is not for showing. */
export type ExchangeFailure = { outcome: 'failed'; sent: boolean; cause: unknown };

/**
 * One HTTP request and its whole answer; never rejects, never follows a redirect.
 * It speaks undici's dispatch interface because only that tells when a request goes on the wire,
 * and because `request()` notices a signal only then: not while connecting or queueing.
 */
export function exchange(
  dispatcher: Dispatcher,
  { origin, path, method, headers, body, signal }: ExchangeRequest,
): Promise<ExchangeAnswer | ExchangeFailure> {
  const { promise, resolve } = Promise.withResolvers<ExchangeAnswer | ExchangeFailure>();
  let sent = false;
  let controller: Dispatcher.DispatchController | undefined;
  let head: Pick<ExchangeAnswer, 'status' | 'headers'> = { status: 0, headers: {} };
  const chunks: Buffer[] = [];

  const settle = (result: ExchangeAnswer | ExchangeFailure) => {
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
        if (signal?.aborted) {
          started.abort(new Error('aborted by the caller'));
          return;
        }
        controller = started;
        sent = true;
      },
      onResponseStart(_controller, status, answerHeaders) {
        head = { status, headers: answerHeaders };
      },
      onResponseData(_controller, chunk) {
        chunks.push(chunk);
      },
      onResponseEnd() {
        const text = new TextDecoder().decode(Buffer.concat(chunks));
        settle({ outcome: 'answered', ...head, body: text });
      },
      onResponseError(_controller, cause) {
        settle({ outcome: 'failed', sent, cause });
      },
    },
  );
  return promise;
}
