import { SpanKind } from '@opentelemetry/api';
import { App, type AppOptions, type ReceiverEvent } from '@slack/bolt';
import { inSpan } from '../../tracing.ts';

/** How long Slack waited for the acknowledgment of a request. Slack shows an error after 3 s. */
export type Acknowledgment = { kind: 'command' | 'action' | 'submission' | 'other'; ms: number };

/**
 * Bolt's App, which reports every acknowledgment, whether it received by HTTP or a socket, and begins
 * a trace with each request. What nothing has acknowledged is acknowledged at the end: a kind that Belay
 * doesn't handle, and a payload that Bolt can't read. Slack would wait for 3 s, then send it again.
 */
export class TimedApp extends App {
  readonly #onAcknowledged: ((acknowledgment: Acknowledgment) => void) | undefined;

  constructor(
    options: AppOptions,
    onAcknowledged: ((acknowledgment: Acknowledgment) => void) | undefined,
  ) {
    super(options);
    this.#onAcknowledged = onAcknowledged;
  }

  override processEvent(event: ReceiverEvent): Promise<void> {
    const kind = kindOf(event.body);
    const receivedAt = performance.now();
    return inSpan(`Slack ${kind}`, { kind: SpanKind.SERVER, root: true }, async (span) => {
      let isAcknowledged = false;
      const ack: ReceiverEvent['ack'] = async (response) => {
        isAcknowledged = true;
        await event.ack(response);
        span.addEvent('acknowledged');
        this.#onAcknowledged?.({ kind, ms: performance.now() - receivedAt });
      };
      try {
        await super.processEvent({ ...event, ack });
      } catch (error) {
        // An acknowledgment would close the form as if it had been handled; without it, Slack says that
        // something went wrong.
        if (kind === 'submission') isAcknowledged = true;
        throw error;
      } finally {
        if (!isAcknowledged) await ack();
      }
    });
  }
}

function kindOf({ command, type }: ReceiverEvent['body']): Acknowledgment['kind'] {
  if (typeof command === 'string') return 'command';
  if (type === 'block_actions') return 'action';
  return type === 'view_submission' ? 'submission' : 'other';
}
