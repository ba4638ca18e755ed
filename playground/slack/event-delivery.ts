import type { Ack, Deliver, Retry } from './delivery.ts';

/** Slack sends an event again at once, after a minute, and after five. */
const RETRY_DELAYS_MS = [0, 60_000, 300_000];

const reasonOf = (ack: Ack): string =>
  ack.kind === 'operation_timeout' ? 'http_timeout' : 'http_error';

export type EventDelivery = {
  /** Resolves after the first attempt. */
  send: (payload: Record<string, unknown>) => Promise<void>;
  close: () => void;
};

/**
 * Delivers events, and repeats those that were not acknowledged.
 * https://docs.slack.dev/apis/events-api#retries
 */
export const createEventDelivery = (deliver: Deliver): EventDelivery => {
  const timers = new Set<NodeJS.Timeout>();

  const attempt = async (payload: Record<string, unknown>, retry?: Retry): Promise<void> => {
    const ack = await deliver('events_api', payload, retry);
    const num = (retry?.num ?? 0) + 1;
    const delayMs = RETRY_DELAYS_MS[num - 1];
    if (ack.kind === 'acked' || delayMs === undefined) return;
    const again = { num, reason: reasonOf(ack) };
    const timer = setTimeout(() => {
      timers.delete(timer);
      void attempt(payload, again);
    }, delayMs).unref();
    timers.add(timer);
  };

  return {
    send: (payload) => attempt(payload),
    close: () => {
      for (const timer of timers) clearTimeout(timer);
    },
  };
};
