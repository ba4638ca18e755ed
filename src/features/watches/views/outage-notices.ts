import type { Outgoing } from '../../../postings/outbox/message.ts';
import { thisPlace } from '../../../slack/api/channel.ts';
import { context, message, notice } from '../../../slack/ui/blocks.ts';
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

export function outageNotice(
  outage: OutageRef,
  { reason, isPartial }: OutageCause,
  channelId: string,
): Outgoing {
  const place = thisPlace(channelId);
  const what = isPartial
    ? `Watches in ${place} are missing some alerts right now.`
    : `Watches in ${place} aren't receiving alerts right now.`;
  const text = `:warning: ${what}\n${reason}\nBelay keeps trying and will post the missed alerts later.`;
  return { subject: outageSubject(outage), message: notice(text) };
}

/** Edits the notice of the outage. `watches` are those of the channel that were warned. */
export function outageOverNotice(
  outage: OutageRef,
  until: Date,
  { watches, channelId }: { watches: (Watch & { isEnded: boolean })[]; channelId: string },
): Outgoing {
  const { since } = outage;
  const place = thisPlace(channelId);
  const missed = `missed from ${moment(since)} to ${moment(until)}`;
  // A watch that restarted during the outage has not posted earlier alerts.
  const isCaughtUp = watches.every(({ anchor }) => !anchor || anchor <= since);
  const outcome = isCaughtUp
    ? `Alerts ${missed} are posted.`
    : `Only some of the alerts ${missed} are posted, because a watch was restarted. Run \`/belay alerts\` to see all active alerts.`;
  const state = watches.every(({ isEnded }) => isEnded)
    ? `Belay can read alerts again. The watches in ${place} that were missing alerts have ended.`
    : `Watches in ${place} are working again. ${outcome}`;
  const text = `:white_check_mark: ${state}`;
  return { subject: outageSubject(outage), message: notice(text), onlyEdits: true };
}

/** Edits the notice of an outage that ended because the connection was replaced, which has its own message. */
export function outageReplacedNotice(outage: OutageRef, channelId: string): Outgoing {
  const text = `:white_check_mark: Watches in ${thisPlace(channelId)} are working again: the connection to the service was replaced.`;
  return { subject: outageSubject(outage), message: notice(text), onlyEdits: true };
}

/** `isResumed` is false if a watch of the channel starts again on another tenant. */
export function connectionReplacedNotice(
  connectionId: string,
  { isResumed, channelId }: { isResumed: boolean; channelId: string },
): Outgoing {
  const place = thisPlace(channelId);
  const text = isResumed
    ? `The connection to the service was replaced in setup. Watches in ${place} continue where they left off.`
    : `The connection to the service was replaced in setup, perhaps with another tenant. Watches in ${place} start again: earlier alerts of the new connection aren't posted.`;
  return { subject: `watches:connection:${connectionId}`, message: message([context(text)]) };
}
