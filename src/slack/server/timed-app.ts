import { SpanKind } from '@opentelemetry/api';
import { App, type AppOptions, type ReceiverEvent } from '@slack/bolt';
import { inSpan } from '../../tracing.ts';

/** How long Slack waited for the acknowledgment of a request. Slack shows an error after 3 s. */
export type Acknowledgment = { kind: 'command' | 'action' | 'submission' | 'other'; ms: number };

/**
 * Bolt's App, which reports every acknowledgment, whether it received by HTTP or a socket, and begins
 * a trace with each request.
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
    return inSpan(`Slack ${kind}`, { kind: SpanKind.SERVER, root: true }, (span) => {
      const ack: ReceiverEvent['ack'] = async (response) => {
        await event.ack(response);
        span.addEvent('acknowledged');
        this.#onAcknowledged?.({ kind, ms: performance.now() - receivedAt });
      };
      return super.processEvent({ ...event, ack });
    });
  }
}

function kindOf({ command, type }: ReceiverEvent['body']): Acknowledgment['kind'] {
  if (typeof command === 'string') return 'command';
  if (type === 'block_actions') return 'action';
  return type === 'view_submission' ? 'submission' : 'other';
}
