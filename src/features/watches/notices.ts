import type { Outgoing } from '../../postings/outbox/message.ts';
import {
  connectionReplacedMessage,
  outageMessage,
  outageOverMessage,
  outageReplacedMessage,
} from './views/watch-notices.ts';
import type { Outage, PollState, Watch } from './watch.ts';

/** The connection and the start of an outage, which identify its one message in a channel. */
export type OutageRef = Pick<PollState, 'connectionId'> & Pick<Outage, 'since'>;

export function outageNotice(
  outage: OutageRef,
  cause: { reason: string; isPartial: boolean },
): Outgoing {
  return { subject: outageSubject(outage), message: outageMessage(cause) };
}

/** Edits the notice of the outage. `watches` are those of one channel. */
export function outageOverNotice(outage: OutageRef, until: Date, watches: Watch[]): Outgoing {
  const { since } = outage;
  // A watch that restarted during the outage has not posted earlier alerts.
  const isCaughtUp = watches.every(({ anchor }) => !anchor || anchor <= since);
  const message = outageOverMessage({ since, until, isCaughtUp });
  return { subject: outageSubject(outage), message, onlyEdits: true };
}

/** Edits the notice of an outage that ended because the connection was replaced. */
export function outageReplacedNotice(outage: OutageRef): Outgoing {
  return { subject: outageSubject(outage), message: outageReplacedMessage(), onlyEdits: true };
}

function outageSubject({ connectionId, since }: OutageRef): string {
  return `watches:trouble:${connectionId}:${since.getTime()}`;
}

/** `isResumed` is false if a watch of the channel starts again on another tenant. */
export function connectionReplacedNotice(connectionId: string, isResumed: boolean): Outgoing {
  return {
    subject: `watches:connection:${connectionId}`,
    message: connectionReplacedMessage(isResumed),
  };
}
