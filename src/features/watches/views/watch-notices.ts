import { thisPlace } from '../../../slack/api/channel.ts';
import {
  actions,
  context,
  type Message,
  message,
  notice,
  section,
} from '../../../slack/ui/blocks.ts';
import { commandButtons } from '../../../slack/ui/command-button.ts';
import { cutMrkdwn, mention, moment } from '../../../slack/ui/mrkdwn.ts';
import { capitalize, plural } from '../../../slack/ui/words.ts';
import type { Change } from '../../../subscriptions/subscription.ts';
import {
  type AlertSearch,
  describeSearch,
  formatAlertLine,
  type MatchingAlerts,
} from '../../alerts/index.ts';
import { maxWatchesPerChannel, type PolicyWatch, type Watch } from '../watch.ts';

/** "new alerts (error, “mail”)": what a watch posts, in mrkdwn. */
export function formatWatch(search: AlertSearch, now: Date): string {
  const filters = describeSearch(search, now);
  return filters ? `new alerts (${filters})` : 'all new alerts';
}

const maxMatches = 3;

/** `read`: what matches now, or why that isn't known; mrkdwn. `lines`: what the buttons run. */
export function askToWatchMessage(
  what: string,
  read: Pick<MatchingAlerts, 'matched' | 'isComplete'> | string,
  lines: { add: string; view: string },
): Message {
  return message([
    section(
      [
        `*Watch ${what}?* No watch was added yet.`,
        ...(typeof read === 'string' ? [`:warning: ${read}`] : formatMatches(read)),
      ].join('\n'),
    ),
    actions(
      commandButtons([
        { text: 'Add watch', line: lines.add },
        { text: 'View alerts', line: lines.view },
      ]),
    ),
    context('To add a watch without this question, put the words in quotation marks.'),
  ]);
}

function formatMatches({
  matched,
  isComplete,
}: Pick<MatchingAlerts, 'matched' | 'isComplete'>): string[] {
  const least = isComplete ? '' : 'At least ';
  const count = plural(matched.length, 'active alert');
  if (matched.length === 0) {
    return [isComplete ? 'No active alerts match now.' : 'No matching alerts found so far.'];
  }
  const more = matched.length - maxMatches;
  return [
    `${least}${count} ${matched.length === 1 ? 'matches' : 'match'} now:`,
    ...matched.slice(0, maxMatches).map((alert) => `• ${formatAlertLine(alert)}`),
    ...(more > 0 ? [`• ${more} more`] : []),
  ];
}

const changeVerbs: Record<Change, string> = {
  added: 'added a watch to',
  changed: 'changed a watch in',
  ended: 'ended a watch in',
};

/** For the channel, when somebody has changed its watches. `what` a watch posts is mrkdwn. */
export function watchChangeMessage(
  channelId: string,
  change: Change,
  { what, by }: { what: string; by: string },
): Message {
  return message([
    context(
      `${mention(by)} ${changeVerbs[change]} ${thisPlace(channelId)}: ${what}. Manage watches with \`/belay watch\`.`,
    ),
  ]);
}

/** For somebody who adds a watch that the channel already has; `what` it posts is mrkdwn. */
export function formatDuplicate(
  { channelId, createdBy, createdAt }: PolicyWatch,
  what: string,
): string {
  return `${capitalize(thisPlace(channelId))} already has a watch for ${what}, added by ${mention(createdBy)} ${moment(createdAt)}.`;
}

const maxOverlapsShown = 3;

/** For a channel that has as many watches, of every kind, as it can have. */
export const tooManyWatches = `A channel can have at most ${maxWatchesPerChannel} watches. No watch was added. To end one, run \`/belay watch\`.`;

export const endedMessage = notice('Watch ended. To see the other watches, run `/belay watch`.');

/** For somebody who wants to change a watch. */
export const goneMessage = notice('This watch has already ended. Nothing was changed.');

/** A warning about watches that can post the same alerts; none if there are none. */
export function formatOverlaps(
  overlaps: Pick<Watch, 'search' | 'channelId'>[],
  now: Date,
): string[] {
  const [first] = overlaps;
  if (!first) return [];
  const shown = overlaps.slice(0, maxOverlapsShown).map(({ search }) => {
    return cutMrkdwn(formatWatch(search, now), 300);
  });
  const left = overlaps.length - shown.length;
  const list = [...shown, ...(left > 0 ? [`${left} more`] : [])].join(' · ');
  const what = plural(overlaps.length, 'other watch', 'other watches');
  return [
    `:warning: Alerts that also match ${what} in ${thisPlace(first.channelId)} are posted twice: ${list}`,
    'To change or end a watch, run `/belay watch`.',
  ];
}

/** How many paused watches of each kind a command has resumed. */
export type ResumedWatches = {
  alerts?: number;
  /** In how many days those of alerts may have missed some. */
  missedDays?: number | undefined;
  compliance?: number;
  policies?: number;
};

/** Lines for the answer to that command; none if there were none. */
export function formatResumed({
  alerts = 0,
  missedDays = 1,
  compliance = 0,
  policies = 0,
}: ResumedWatches): string[] {
  const ofAlerts = plural(alerts, 'paused watch', 'paused watches');
  const ofCompliance = plural(compliance, 'paused compliance watch', 'paused compliance watches');
  const ofPolicies = plural(policies, 'paused policy watch', 'paused policy watches');
  return [
    alerts > 0 && `${ofAlerts} resumed. Missed alerts: \`/belay alerts since:${missedDays}d\``,
    compliance > 0 && `${ofCompliance} resumed.`,
    policies > 0 && `${ofPolicies} resumed. Policy changes made during the pause aren't posted.`,
  ].filter((line) => line !== false);
}

/** Why paused watches could not be resumed; `problem` is mrkdwn. */
export function formatResumeProblem(problem: string | undefined): string[] {
  if (!problem) return [];
  return [
    `:warning: Paused watches couldn't be resumed. ${problem} To try again, run \`/belay watch\`.`,
  ];
}

export function cannotPostMessage(isDirect: boolean): Message {
  return notice(
    isDirect
      ? "No watch was added: Belay can't post in this conversation. Use a channel that Belay is in, or your direct messages with Belay."
      : "No watch was added: Belay isn't in this channel. Run `/invite @Belay`, then try again.",
  );
}
