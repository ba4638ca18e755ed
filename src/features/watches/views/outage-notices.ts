import type { Outgoing } from '../../../postings/outbox/message.ts';
import { thisPlace } from '../../../slack/api/channel.ts';
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

export function outageNotice(outage: OutageRef, cause: OutageCause, channelId: string): Outgoing {
  return { subject: outageSubject(outage), message: outageMessage(cause, channelId) };
}

export function outageMessage({ reason, isPartial }: OutageCause, channelId: string): Message {
  const place = thisPlace(channelId);
  const what = isPartial
    ? `Watches in ${place} are missing some alerts right now.`
    : `Watches in ${place} aren't receiving alerts right now.`;
  return notice(
    `:warning: ${what}\n${reason}\nBelay keeps trying and will post the missed alerts later.`,
  );
}

/** Edits the notice of the outage. `watches` are those of the channel. */
export function outageOverNotice(
  outage: OutageRef,
  until: Date,
  { watches, channelId }: { watches: Watch[]; channelId: string },
): Outgoing {
  const { since } = outage;
  // A watch that restarted during the outage has not posted earlier alerts.
  const isCaughtUp = watches.every(({ anchor }) => !anchor || anchor <= since);
  const message = outageOverMessage({ since, until, isCaughtUp, channelId });
  return { subject: outageSubject(outage), message, onlyEdits: true };
}

export function outageOverMessage({
  since,
  until,
  isCaughtUp,
  channelId,
}: {
  since: Date;
  until: Date;
  isCaughtUp: boolean;
  channelId: string;
}): Message {
  const missed = `missed from ${moment(since)} to ${moment(until)}`;
  const outcome = isCaughtUp
    ? `Alerts ${missed} are posted.`
    : `Only some of the alerts ${missed} are posted, because a watch was restarted. Run \`/belay alerts\` to see all active alerts.`;
  const place = thisPlace(channelId);
  return notice(`:white_check_mark: Watches in ${place} are working again. ${outcome}`);
}

/** Edits the notice of an outage that ended because the connection was replaced, which has its own message. */
export function outageReplacedNotice(outage: OutageRef, channelId: string): Outgoing {
  const message = outageReplacedMessage(channelId);
  return { subject: outageSubject(outage), message, onlyEdits: true };
}

export function outageReplacedMessage(channelId: string): Message {
  return notice(
    `:white_check_mark: Watches in ${thisPlace(channelId)} are working again: the connection to the service was replaced.`,
  );
}

/** `isResumed` is false if a watch of the channel starts again on another tenant. */
export function connectionReplacedNotice(
  connectionId: string,
  of: { isResumed: boolean; channelId: string },
): Outgoing {
  const subject = `watches:connection:${connectionId}`;
  return { subject, message: connectionReplacedMessage(of) };
}

export function connectionReplacedMessage({
  isResumed,
  channelId,
}: {
  isResumed: boolean;
  channelId: string;
}): Message {
  const place = thisPlace(channelId);
  const text = isResumed
    ? `The connection to the service was replaced in setup. Watches in ${place} continue where they left off.`
    : `The connection to the service was replaced in setup, perhaps with another tenant. Watches in ${place} start again: earlier alerts of the new connection aren't posted.`;
  return message([context(text)]);
}
