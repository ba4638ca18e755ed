import { context, type Message, message, notice } from '../../../slack/ui/blocks.ts';
import { code, mention, moment } from '../../../slack/ui/mrkdwn.ts';
import type { Watch } from '../watch.ts';
import { watchWords } from './format-watch.ts';

const forMore = '`/belay watch` shows, changes and ends the watches here.';

export function watchSetUpMessage(watch: Watch, now: Date): Message {
  return told(`${mention(watch.createdBy)} set up a watch here: ${watchWords(watch.search, now)}.`);
}

export function watchChangedMessage(watch: Watch, by: string, now: Date): Message {
  return told(
    `${mention(by)} changed a watch here. It shows now: ${watchWords(watch.search, now)}.`,
  );
}

export function watchEndedMessage(watch: Watch, by: string, now: Date): Message {
  return told(`${mention(by)} ended a watch here: ${watchWords(watch.search, now)}.`);
}

/** Once the watches of a channel have seen nothing, or not all that there is, for a while. */
export function troubleMessage({
  words,
  isPartial,
}: {
  words: string;
  isPartial: boolean;
}): Message {
  const what = isPartial
    ? 'The watches here do not see everything at the moment.'
    : 'The watches here see nothing at the moment.';
  return notice(`:warning: ${what} ${words} Belay keeps trying, and posts what it missed.`);
}

export function troubleOverMessage({
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

/** Takes the place of the trouble; that the connection was changed is told in a message of its own. */
export function troubleReplacedMessage(): Message {
  return notice(
    'The watches here did not see everything for a while. That is over: the connection to the data-protection service was changed.',
  );
}

export function connectionFollowedMessage(goesOn: boolean): Message {
  const what = goesOn
    ? 'The watches here go on where they were.'
    : 'The watches here show what is new there from now on; what was there before is not posted.';
  const text = `The connection to the data-protection service was changed in setup. ${what}`;
  return message(text, [context(text)]);
}

/** To whoever looked after the watches of a channel in which so many were paused until now. */
export function resumedLine(resumed: number): string[] {
  if (resumed === 0) return [];
  const what =
    resumed === 1 ? 'A watch was paused and goes' : `${resumed} watches were paused and go`;
  return [
    `${what} on now. What came meanwhile is not posted: \`/belay alerts since:1d\` shows it.`,
  ];
}

/** To whoever asked for a watch where Belay cannot post. */
export function cannotPostMessage(isDirect: boolean): Message {
  return notice(
    isDirect
      ? 'Belay can watch in a channel that it is in, or in your own direct messages with it, but not here. No watch was set up.'
      : `Belay is not in this channel, so it could not post there. No watch was set up. Invite it with ${code('/invite @Belay')}, then ask again.`,
  );
}

function told(text: string): Message {
  return message(text, [context(`${text} ${forMore}`)]);
}
