import { App, type AppOptions, type ReceiverEvent } from '@slack/bolt';

/** How long Slack waited for the acknowledgment of a request. Slack shows an error after 3 s. */
export type Acknowledgment = { kind: 'command' | 'action' | 'submission' | 'other'; ms: number };

/** Bolt's App, which reports every acknowledgment, whether it received by HTTP or a socket. */
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
    const report = this.#onAcknowledged;
    if (!report) return super.processEvent(event);
    const receivedAt = performance.now();
    const ack: ReceiverEvent['ack'] = async (response) => {
      await event.ack(response);
      report({ kind: kindOf(event.body), ms: performance.now() - receivedAt });
    };
    return super.processEvent({ ...event, ack });
  }
}

function kindOf({ command, type }: ReceiverEvent['body']): Acknowledgment['kind'] {
  if (typeof command === 'string') return 'command';
  if (type === 'block_actions') return 'action';
  return type === 'view_submission' ? 'submission' : 'other';
}
