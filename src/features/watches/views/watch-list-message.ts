import { thisPlace } from '../../../slack/api/channel.ts';
import {
  actions,
  button,
  confirmation,
  context,
  type KnownBlock,
  type Message,
  message,
  section,
} from '../../../slack/ui/blocks.ts';
import { encodeValue } from '../../../slack/ui/codec.ts';
import { cutMrkdwn, mention, moment, stripMarkup } from '../../../slack/ui/mrkdwn.ts';
import { capitalize, plural } from '../../../slack/ui/words.ts';
import { type FindConnection, formatConnectionName, whoMayChange } from '../../workspaces/index.ts';
import type { ComplianceWatch } from '../compliance/compliance-watch.ts';
import type { ListedWatch } from '../store/watch-store.ts';
import type { Outage, PolicyWatch, Watch } from '../watch.ts';
import { complianceWatchBlocks } from './compliance-watch-messages.ts';
import { editActionId, endActionId, shownWatch } from './ids.ts';
import { formatResumedPolicies, policyWatchBlocks } from './policy-watch-messages.ts';
import {
  formatOutage,
  formatResumed,
  formatResumedCompliance,
  formatResumeProblem,
  formatWatch,
  type ShownFor,
} from './watch-notices.ts';

/** The watches of a channel, oldest first, with buttons for those that the person may change. */
export function watchListMessage({
  channelId,
  watches,
  resumed,
  resumeProblem,
  complianceWatches,
  resumedCompliance,
  policyWatches,
  resumedPolicies,
  findConnection,
  mayChange,
  now,
}: {
  channelId: string;
  watches: ListedWatch[];
  /** How many paused watches the command has resumed. */
  resumed: number;
  /** Why paused watches could not be resumed, as mrkdwn. */
  resumeProblem?: string | undefined;
  /** Shown after the watches of alerts. */
  complianceWatches: ComplianceWatch[];
  resumedCompliance: number;
  /** Shown last. */
  policyWatches: (PolicyWatch & { outage: Outage | undefined })[];
  resumedPolicies: number;
  findConnection: FindConnection;
  mayChange: (watch: { createdBy: string }) => boolean;
  now: Date;
}): Message {
  const count = watches.length + complianceWatches.length + policyWatches.length;
  const isEmpty = count === 0;
  const shownFor = (watch: Pick<Watch, 'createdBy' | 'originId'>): ShownFor => ({
    mayChange: mayChange(watch),
    connectionName: findConnection(watch.originId)?.name,
  });
  const title = `${isEmpty ? 'No watches' : plural(count, 'watch', 'watches')} in ${thisPlace(channelId)}`;
  const news = [
    ...formatResumed(resumed),
    ...formatResumedCompliance(resumedCompliance),
    ...formatResumedPolicies(resumedPolicies),
    ...formatResumeProblem(resumeProblem),
  ];
  const footer = isEmpty
    ? '`/belay watch all` posts every alert'
    : `Add a watch: \`/belay watch severity:error\` · \`/belay watch all\` posts every alert · \`/belay watch compliance Gold above 3\` · \`/belay watch policies\`\n${whoMayChange('watch')}`;
  return message([
    section([`*${title}*`, ...news, ...(isEmpty ? [whatAWatchIs] : [])].join('\n')),
    ...watches.flatMap((watch) => [
      section(linesOf(watch, shownFor(watch), now)),
      ...(mayChange(watch) ? [buttonsOf(watch, now)] : []),
    ]),
    ...complianceWatches.flatMap((watch) => complianceWatchBlocks(watch, shownFor(watch))),
    ...policyWatches.flatMap((watch) => policyWatchBlocks(watch, shownFor(watch))),
    context(footer),
  ]);
}

const whatAWatchIs =
  'A watch posts new alerts as they are raised. Run `/belay watch severity:error` to add one.';

function linesOf(watch: ListedWatch, { connectionName }: ShownFor, now: Date): string {
  const { search, createdBy, createdAt, changedBy, changedAt, pausedReason, outage } = watch;
  const changed = changedBy && changedAt && `changed by ${mention(changedBy)} ${moment(changedAt)}`;
  const by = [`Added by ${mention(createdBy)} ${moment(createdAt)}`, changed, formatPosted(watch)];
  const lines = [
    `${capitalize(formatWatch(search, now))}${formatConnectionName(connectionName)}`,
    pausedReason && `:double_vertical_bar: Paused: ${pausedReason}`,
    outage && formatOutage(outage),
    by.filter(Boolean).join(' · '),
  ];
  return cutMrkdwn(lines.filter(Boolean).join('\n'), 2900);
}

function formatPosted({ postedCount, countedCount }: Watch): string {
  if (postedCount + countedCount === 0) return 'no alerts posted yet';
  const posted = `${plural(postedCount, 'alert')} posted`;
  return countedCount === 0 ? posted : `${posted}, ${countedCount} counted in summaries`;
}

function buttonsOf(watch: Watch, now: Date): KnownBlock {
  const what = stripMarkup(capitalize(formatWatch(watch.search, now)));
  const value = encodeValue(shownWatch(watch));
  return actions([
    button({
      text: 'Edit',
      actionId: editActionId,
      value,
      accessibilityLabel: `Edit watch: ${what}`,
    }),
    button({
      text: 'End watch',
      actionId: endActionId,
      value,
      accessibilityLabel: `End watch: ${what}`,
      confirm: confirmation({
        title: 'End this watch?',
        question: `${what}. Belay stops posting these alerts here. Messages already posted stay.`,
        verb: 'End watch',
      }),
    }),
  ]);
}
