import type { Outgoing } from '../../../postings/outbox/message.ts';
import { context, type Message, message, notice } from '../../../slack/ui/blocks.ts';
import { moment } from '../../../slack/ui/mrkdwn.ts';
import type { Outage, PollState, Watch } from '../watch.ts';

/** The connection and the start of an outage, which identify its one message in a channel. */
export type OutageRef = Pick<PollState, 'connectionId'> & Pick<Outage, 'since'>;

function outageSubject({ connectionId, since }: OutageRef): string {
  return `watches:trouble:${connectionId}:${since.getTime()}`;
}

type OutageCause = {
  /** Mrkdwn. */
  reason: string;
  /** The watches see some of the alerts. */
  isPartial: boolean;
};

export function outageNotice(outage: OutageRef, cause: OutageCause): Outgoing {
  return { subject: outageSubject(outage), message: outageMessage(cause) };
}

export function outageMessage({ reason, isPartial }: OutageCause): Message {
  const what = isPartial
    ? 'Watches in this channel are missing some alerts right now.'
    : "Watches in this channel aren't receiving alerts right now.";
  return notice(
    `:warning: ${what}\n${reason}\nBelay keeps trying and will post the missed alerts later.`,
  );
}

/** Edits the notice of the outage. `watches` are those of one channel. */
export function outageOverNotice(outage: OutageRef, until: Date, watches: Watch[]): Outgoing {
  const { since } = outage;
  // A watch that restarted during the outage has not posted earlier alerts.
  const isCaughtUp = watches.every(({ anchor }) => !anchor || anchor <= since);
  const message = outageOverMessage({ since, until, isCaughtUp });
  return { subject: outageSubject(outage), message, onlyEdits: true };
}

export function outageOverMessage({
  since,
  until,
  isCaughtUp,
}: {
  since: Date;
  until: Date;
  isCaughtUp: boolean;
}): Message {
  const missed = `missed from ${moment(since)} to ${moment(until)}`;
  const outcome = isCaughtUp
    ? `Alerts ${missed} are posted.`
    : `Only some of the alerts ${missed} are posted, because a watch was restarted. Run \`/belay alerts\` to see all active alerts.`;
  return notice(`:white_check_mark: Watches in this channel are working again. ${outcome}`);
}

/** Edits the notice of an outage that ended because the connection was replaced, which has its own message. */
export function outageReplacedNotice(outage: OutageRef): Outgoing {
  return { subject: outageSubject(outage), message: outageReplacedMessage(), onlyEdits: true };
}

export function outageReplacedMessage(): Message {
  return notice(
    ':white_check_mark: Watches in this channel are working again: the connection to the service was replaced.',
  );
}

/** `isResumed` is false if a watch of the channel starts again on another tenant. */
export function connectionReplacedNotice(connectionId: string, isResumed: boolean): Outgoing {
  const subject = `watches:connection:${connectionId}`;
  return { subject, message: connectionReplacedMessage(isResumed) };
}

export function connectionReplacedMessage(isResumed: boolean): Message {
  const text = isResumed
    ? 'The connection to the service was replaced in setup. Watches in this channel continue where they left off.'
    : "The connection to the service was replaced in setup, perhaps with another tenant. Watches in this channel start again: earlier alerts of the new connection aren't posted.";
  return message([context(text)]);
}
