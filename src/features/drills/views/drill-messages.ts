import { thisPlace } from '../../../slack/api/channel.ts';
import {
  actions,
  actionsIfAny,
  button,
  confirmation,
  context,
  type KnownBlock,
  type Message,
  message,
  notice,
  section,
} from '../../../slack/ui/blocks.ts';
import { encodeValue } from '../../../slack/ui/codec.ts';
import { commandButton } from '../../../slack/ui/command-button.ts';
import { mention, moment } from '../../../slack/ui/mrkdwn.ts';
import { pagesAround } from '../../../slack/ui/pager.ts';
import { capitalize, plural } from '../../../slack/ui/words.ts';
import type { Change } from '../../../subscriptions/subscription.ts';
import { whoMayChange } from '../../../workspace/call.ts';
import { type FindConnection, formatConnectionName } from '../../../workspace/choose-connection.ts';
import { formatNextRun } from '../../digests/index.ts';
import { type Drill, type DrillPlan, type DrillRun, maxDrillsPerChannel } from '../drill.ts';
import {
  formatCleanUp,
  formatDrillSchedule,
  formatRun,
  formatRunVolume,
  formatSource,
  formatTarget,
} from './format-drill.ts';
import { endDrillActionId, newDrillActionId, type ReportQuery, reportPager } from './ids.ts';

const manage = 'Manage restore drills with `/belay drill`';

/** To the channel of the drill, when it was added or ended. */
export function drillNoticeMessage(plan: DrillPlan, change: Change, by: string): Message {
  const what = `${formatSource(plan)} · ${formatDrillSchedule(plan.schedule)}`;
  return message([context(`${mention(by)} ${change} a restore drill: ${what}\n${manage}`)]);
}

/** The result of one restore, in the channel of its drill. */
export function drillResultMessage(run: DrillRun): Message {
  const lines = [
    `*Restore drill* · ${formatRunVolume(run)} · ${formatRun(run)}`,
    [run.detail, formatCleanUp(run)].filter(Boolean).join(' '),
  ];
  return message([section(lines.join('\n'))]);
}

/** The channel's drills, with a button on those that the person may end. */
export function drillListMessage(
  channelId: string,
  drills: Drill[],
  view: {
    findConnection: FindConnection;
    mayChange: (drill: Drill) => boolean;
    /** Whether the person may request a new one. */
    mayAdd: boolean;
    now: Date;
    /** Number of drills that were paused until now. */
    resumed: number;
  },
): Message {
  const { findConnection, mayChange, mayAdd, now, resumed } = view;
  const where = thisPlace(channelId);
  const title =
    drills.length === 0
      ? `No restore drills in ${where}. A drill regularly restores the newest backup of volumes, and posts whether that worked, how long it took and how old the data was.`
      : `*${plural(drills.length, 'restore drill')} in ${where}*`;
  const again = resumed > 0 ? [`${plural(resumed, 'paused restore drill')} resumed.`] : [];
  const isFull = drills.length >= maxDrillsPerChannel;
  const newDrill = button({
    text: 'New drill…',
    actionId: newDrillActionId,
    value: encodeValue({ channelId }),
  });
  const report = commandButton({ text: 'View report', line: 'drill report' });
  return message([
    section([title, ...again].join('\n')),
    ...drills.flatMap((drill) => [
      drillBlock(drill, findConnection(drill.originId)?.name, now),
      ...(mayChange(drill) ? [actions([endButton(drill)])] : []),
    ]),
    ...(isFull ? [context(fullText)] : []),
    ...actionsIfAny([mayAdd && !isFull ? newDrill : undefined, report]),
    ...(drills.every(mayChange) ? [] : [context(whoMayChange('restore drill'))]),
  ]);
}

export const fullText = `A channel can have at most ${maxDrillsPerChannel} restore drills. End one before you add another.`;

function drillBlock(drill: Drill, connectionName: string | undefined, now: Date): KnownBlock {
  const { plan, pausedReason, nextRunAt, createdBy } = drill;
  const title = `*${formatDrillSchedule(plan.schedule)}*${formatConnectionName(connectionName)}`;
  const next = formatNextRun(nextRunAt <= now ? undefined : nextRunAt);
  return section(
    [
      pausedReason ? title : `${title} · ${next}`,
      ...(pausedReason ? [`:double_vertical_bar: *Paused*: ${pausedReason}`] : []),
      `${capitalize(formatSource(plan))} → ${formatTarget(plan)}`,
      `Added by ${mention(createdBy)}`,
    ].join('\n'),
  );
}

function endButton({ id, channelId, plan }: Drill) {
  const schedule = formatDrillSchedule(plan.schedule);
  return button({
    text: 'End drill',
    actionId: endDrillActionId,
    value: encodeValue({ channelId, drillId: id }),
    accessibilityLabel: `End drill: ${schedule}`,
    confirm: confirmation({
      title: 'End restore drill?',
      question: `${schedule}. Belay will no longer restore its volumes. A restore in progress continues. Adding the drill again requires approval.`,
      verb: 'End drill',
      isDanger: true,
    }),
  });
}

export const drillEndedMessage: Message = notice('Restore drill ended.');
export const drillGoneMessage: Message = notice(
  'This restore drill was already ended. Nothing was changed.',
);

/** The runs that have ended, newest first. */
export function drillReportMessage(
  query: ReportQuery,
  { runs, total }: { runs: DrillRun[]; total: number },
  perPage: number,
): Message {
  const pages = actions(reportPager.buttons(pagesAround(query, { total, perPage })));
  if (runs.length === 0) {
    const none =
      query.start > 0
        ? 'No more restore drills.'
        : 'No restore drill has run yet. Run `/belay drill` to add one.';
    return message([section(none), pages]);
  }
  const range = `${query.start + 1}-${query.start + runs.length} of ${total}`;
  const lines = runs.map((run) => {
    const when = run.finished_at && moment(run.finished_at);
    const why = run.state === 'restored' ? undefined : run.detail;
    return section([formatRunVolume(run), when, formatRun(run), why].filter(Boolean).join(' · '));
  });
  return message([section(`*Restore drills* · newest first · ${range}`), ...lines, pages]);
}
