import { context, type Message, message, notice } from '../../../slack/ui/blocks.ts';
import { code, mention, moment } from '../../../slack/ui/mrkdwn.ts';
import { type AlertSearch, describeSearch } from '../../alerts/index.ts';
import type { Watch } from '../watch.ts';

/** "new alerts (severity error)": what a watch posts, in mrkdwn. */
export function formatWatch(search: AlertSearch, now: Date): string {
  const filters = describeSearch(search, now);
  return filters ? `new alerts (${filters})` : 'all new alerts';
}

const hint = '`/belay watch` shows, changes and ends the watches here.';

export function watchSetUpMessage(watch: Watch, now: Date): Message {
  return withHint(
    `${mention(watch.createdBy)} set up a watch here: ${formatWatch(watch.search, now)}.`,
  );
}

export function watchChangedMessage(watch: Watch, by: string, now: Date): Message {
  return withHint(
    `${mention(by)} changed a watch here. It shows now: ${formatWatch(watch.search, now)}.`,
  );
}

export function watchEndedMessage(watch: Watch, by: string, now: Date): Message {
  return withHint(`${mention(by)} ended a watch here: ${formatWatch(watch.search, now)}.`);
}

/** `reason` is mrkdwn; partial means that the watches see some of the alerts. */
export function outageMessage({
  reason,
  isPartial,
}: {
  reason: string;
  isPartial: boolean;
}): Message {
  const what = isPartial
    ? 'The watches here do not see everything at the moment.'
    : 'The watches here see nothing at the moment.';
  return notice(`:warning: ${what} ${reason} Belay keeps trying, and posts what it missed.`);
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
  const missed = isCaughtUp
    ? 'what they missed is posted.'
    : 'not all that they missed is posted, because one of them began anew: `/belay alerts` shows it.';
  return notice(
    `The watches here work again. From ${moment(since)} to ${moment(until)} they did not see everything; ${missed}`,
  );
}

/** Replaces the notice of an outage; the change of connection has a message of its own. */
export function outageReplacedMessage(): Message {
  return notice(
    'The watches here did not see everything for a while. That is over: the connection to the data-protection service was changed.',
  );
}

export function connectionReplacedMessage(isResumed: boolean): Message {
  const what = isResumed
    ? 'The watches here go on where they were.'
    : 'The watches here show what is new there from now on; what was there before is not posted.';
  const text = `The connection to the data-protection service was changed in setup. ${what}`;
  return message(text, [context(text)]);
}

/** A line for the answer to the command that resumed paused watches; none if there were none. */
export function formatResumed(resumed: number): string[] {
  if (resumed === 0) return [];
  const what =
    resumed === 1 ? 'A watch was paused and goes' : `${resumed} watches were paused and go`;
  return [
    `${what} on now. What came meanwhile is not posted: \`/belay alerts since:1d\` shows it.`,
  ];
}

export function cannotPostMessage(isDirect: boolean): Message {
  return notice(
    isDirect
      ? 'Belay can watch in a channel that it is in, or in your own direct messages with it, but not here. No watch was set up.'
      : `Belay is not in this channel, so it could not post there. No watch was set up. Invite it with ${code('/invite @Belay')}, then ask again.`,
  );
}

function withHint(text: string): Message {
  return message(text, [context(`${text} ${hint}`)]);
}
