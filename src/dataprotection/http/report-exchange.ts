import { inCallSpan, isTraced, setFailed } from '../../tracing.ts';
import type { ExchangeFailure, ExchangeResponse } from './exchange.ts';
import { isTimeoutFailure } from './transport-error.ts';

/** How one attempt ended. `outcome` is the HTTP status, `timeout` or `unreachable`. */
export type ExchangeReport = {
  method: string;
  outcome: string;
  ms: number;
  /** The time by the service's clock, if it responded with one. */
  serverDate: Date | undefined;
};

/**
 * Runs one exchange, reports its outcome to `onExchange` and to the current trace, and returns its
 * result. `template` is the path without its ids.
 */
export async function reportExchange(
  exchange: () => Promise<ExchangeResponse | ExchangeFailure>,
  { method, template }: { method: string; template: string },
  onExchange: ((report: ExchangeReport) => void) | undefined,
): Promise<ExchangeResponse | ExchangeFailure> {
  if (!onExchange && !isTraced()) return exchange();
  const attributes = { 'http.request.method': method, 'url.template': template };
  return inCallSpan(`${method} ${template}`, attributes, async (span) => {
    const startedAt = performance.now();
    const result = await exchange();
    const ms = performance.now() - startedAt;
    if (result.outcome === 'failed') {
      const outcome = isTimeoutFailure(result.cause) ? 'timeout' : 'unreachable';
      setFailed(outcome);
      onExchange?.({ method, outcome, ms, serverDate: undefined });
      return result;
    }
    const { status, headers } = result;
    span?.setAttribute('http.response.status_code', status);
    if (status >= 400) setFailed(String(status));
    const date = new Date(String(headers.date));
    const serverDate = Number.isNaN(date.getTime()) ? undefined : date;
    onExchange?.({ method, outcome: String(status), ms, serverDate });
    return result;
  });
}
