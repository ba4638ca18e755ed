import { isRecent } from '../../../clock.ts';
import { thisPlace } from '../../../slack/api/channel.ts';
import {
  actions,
  type Button,
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
import { whoMayChange } from '../../../workspace/call.ts';
import { type FindConnection, formatConnectionName } from '../../../workspace/choose-connection.ts';
import type { ComplianceWatch } from '../compliance/compliance-watch.ts';
import { formatQuietHours } from '../quiet-hours.ts';
import { formatAfter, type Reminder } from '../reminders/reminder.ts';
import type { ListedWatch } from '../store/watch-store.ts';
import type { Outage, PolicyWatch, Watch } from '../watch.ts';
import { formatComplianceWatch } from './compliance-watch-messages.ts';
import {
  editActionId,
  editComplianceActionId,
  endActionId,
  endComplianceActionId,
  endPoliciesActionId,
  shownWatch,
  viewActionId,
} from './ids.ts';
import { policyWatchText } from './policy-watch-messages.ts';
import {
  formatResumed,
  formatResumeProblem,
  formatWatch,
  type ResumedWatches,
} from './watch-notices.ts';

/** The watches of a channel, oldest first, with buttons for those that the person may change. */
export function watchListMessage({
  channelId,
  watches,
  complianceWatches,
  policyWatches,
  resumed,
  resumeProblem,
  findConnection,
  mayChange,
  now,
}: {
  channelId: string;
  /** Those of alerts, which are shown first. */
  watches: ListedWatch[];
  complianceWatches: ComplianceWatch[];
  policyWatches: (PolicyWatch & { outage: Outage | undefined })[];
  resumed: ResumedWatches;
  /** Why paused watches could not be resumed, as mrkdwn. */
  resumeProblem?: string | undefined;
  findConnection: FindConnection;
  mayChange: (watch: { createdBy: string }) => boolean;
  now: Date;
}): Message {
  const listed = [
    ...watches.map((watch) => listAlertWatch(watch, now)),
    ...complianceWatches.map((watch) => listComplianceWatch(watch, now)),
    ...policyWatches.map(listPolicyWatch),
  ];
  const count = listed.length;
  const isEmpty = count === 0;
  const title = `${isEmpty ? 'No watches' : plural(count, 'watch', 'watches')} in ${thisPlace(channelId)}`;
  const news = [...formatResumed(resumed), ...formatResumeProblem(resumeProblem)];
  const footer = isEmpty
    ? '`/belay watch all` posts every alert'
    : `Add a watch: \`/belay watch severity:error\` · \`/belay watch all\` posts every alert · \`/belay watch compliance Gold above 3\` · \`/belay watch policies\`\n${whoMayChange('watch')}`;
  return message([
    section([`*${title}*`, ...news, ...(isEmpty ? [whatAWatchIs] : [])].join('\n')),
    ...listed.flatMap((one) => [
      section(formatListed(one, findConnection(one.watch.originId)?.name)),
      ...(mayChange(one.watch) ? [buttonsOf(one)] : []),
    ]),
    context(footer),
  ]);
}

const whatAWatchIs =
  'A watch posts new alerts as they are raised. Run `/belay watch severity:error` to add one.';

/** A watch of any kind, as the list shows it. */
type Listed = {
  watch: PolicyWatch & {
    changedBy?: string | undefined;
    changedAt?: Date | undefined;
    outage?: Outage | undefined;
  };
  /** What it posts, in mrkdwn. */
  what: string;
  facts: string[];
  /** Of its buttons. */
  value: string;
  editActionId?: string;
  endActionId: string;
  /** What its end means, in sentences. */
  ending: string;
};

const postedStay = 'Messages already posted stay.';

function listAlertWatch(watch: ListedWatch, now: Date): Listed {
  return {
    watch,
    what: formatWatch(watch.search, now),
    facts: [
      formatPosted(watch),
      ...(watch.quietHours ? [`quiet hours ${formatQuietHours(watch.quietHours)}`] : []),
      ...(watch.reminder ? [formatReminder(watch.reminder)] : []),
    ],
    value: encodeValue(shownWatch(watch)),
    editActionId,
    endActionId,
    ending: `Belay stops posting these alerts here. ${postedStay}`,
  };
}

function formatReminder({ group, ...reminder }: Reminder): string {
  const whom = group === undefined ? '' : ` that mention ${mention(group)}`;
  return `reminders after ${formatAfter(reminder)}${whom}`;
}

function formatPosted({ postedCount, countedCount }: Watch): string {
  if (postedCount + countedCount === 0) return 'no alerts posted yet';
  const posted = `${plural(postedCount, 'alert')} posted`;
  return countedCount === 0 ? posted : `${posted}, ${countedCount} counted in summaries`;
}

const noCount =
  "Belay can't read the number of noncompliant volumes. Run `/belay compliance` to see why.";
/** Twice the time between two counts: the next one is missing. */
const maxCountAgeMs = 2 * 60 * 60_000;

function listComplianceWatch(watch: ComplianceWatch, now: Date): Listed {
  const { id, lastCount, lastReadAt, createdAt, nextReadAt } = watch;
  const hasCount = lastCount !== undefined && lastReadAt !== undefined;
  const since = lastReadAt ?? createdAt;
  // After a pause, Belay hasn't tried yet.
  const isMissing = nextReadAt > now && !isRecent(since, now, maxCountAgeMs);
  return {
    watch: { ...watch, outage: isMissing ? { since, reason: noCount } : undefined },
    what: formatComplianceWatch(watch),
    facts: [hasCount ? `${lastCount} noncompliant ${moment(lastReadAt)}` : 'no data yet'],
    value: encodeValue({ watchId: id }),
    editActionId: editComplianceActionId,
    endActionId: endComplianceActionId,
    ending: postedStay,
  };
}

function listPolicyWatch(watch: PolicyWatch & { outage: Outage | undefined }): Listed {
  const { channelId, originId } = watch;
  return {
    watch,
    what: policyWatchText,
    facts: [],
    value: encodeValue({ channelId, originId }),
    endActionId: endPoliciesActionId,
    ending: `Belay stops posting these changes here. ${postedStay}`,
  };
}

function formatListed({ watch, what, facts }: Listed, connectionName: string | undefined): string {
  const { createdBy, createdAt, changedBy, changedAt, pausedReason, outage } = watch;
  const changed = changedBy && changedAt && `changed by ${mention(changedBy)} ${moment(changedAt)}`;
  const by = [`Added by ${mention(createdBy)} ${moment(createdAt)}`, changed, ...facts];
  const lines = [
    `${capitalize(what)}${formatConnectionName(connectionName)}`,
    pausedReason && `:double_vertical_bar: Paused: ${pausedReason}`,
    outage && `:warning: Not up to date since ${moment(outage.since)}: ${outage.reason}`,
    by.filter(Boolean).join(' · '),
  ];
  return cutMrkdwn(lines.filter(Boolean).join('\n'), 2900);
}

function buttonsOf({ what, value, editActionId, endActionId, ending }: Listed): KnownBlock {
  const name = stripMarkup(capitalize(what));
  const edit = editActionId && {
    text: 'Edit',
    actionId: editActionId,
    value,
    accessibilityLabel: `Edit watch: ${name}`,
  };
  return actions([
    ...(edit ? [button(edit)] : []),
    button({
      text: 'End watch',
      actionId: endActionId,
      value,
      accessibilityLabel: `End watch: ${name}`,
      confirm: confirmation({
        title: 'End this watch?',
        question: `${name}. ${ending}`,
        verb: 'End watch',
      }),
    }),
  ]);
}

/**
 * Lists all active alerts of a watch, from the summary of those that were not posted one by one: more
 * than the summary counts, so the text says which.
 */
export function watchSummaryButton(watchId: string): Button {
  return button({
    text: 'View all active',
    actionId: viewActionId,
    value: encodeValue({ watchId }),
    accessibilityLabel: 'View all active alerts of this watch',
  });
}
