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

/** Runs one exchange, reports its outcome to `onExchange`, and returns its result. */
export async function reportExchange(
  exchange: () => Promise<ExchangeResponse | ExchangeFailure>,
  method: string,
  onExchange: (report: ExchangeReport) => void,
): Promise<ExchangeResponse | ExchangeFailure> {
  const startedAt = performance.now();
  const result = await exchange();
  const ms = performance.now() - startedAt;
  if (result.outcome === 'failed') {
    const outcome = isTimeoutFailure(result.cause) ? 'timeout' : 'unreachable';
    onExchange({ method, outcome, ms, serverDate: undefined });
    return result;
  }
  const date = new Date(String(result.headers.date));
  const serverDate = Number.isNaN(date.getTime()) ? undefined : date;
  onExchange({ method, outcome: String(result.status), ms, serverDate });
  return result;
}
