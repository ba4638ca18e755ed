import type { Alert } from '../../../dataprotection/resources/alerts.ts';
import {
  actions,
  context,
  type KnownBlock,
  type Message,
  message,
  section,
} from '../../../slack/ui/blocks.ts';
import { age, moment } from '../../../slack/ui/mrkdwn.ts';
import { plural } from '../../../slack/ui/words.ts';
import { clearButton, detailsButton, formatAlertLine } from '../../alerts/index.ts';
import {
  type AlertGroup,
  type DigestContents,
  isEmpty,
  type Stopped,
} from '../collect/digest-contents.ts';
import type { DigestSettings } from '../digest.ts';
import { formatAlertCounts } from './format-alert-counts.ts';
import { formatCompliance } from './format-compliance.ts';
import { formatSchedule } from './format-settings.ts';

const maxNewShown = 5;
const maxOpenShown = 3;
const dayMs = 24 * 60 * 60 * 1000;

export type DigestView = {
  settings: DigestSettings;
  contents: DigestContents;
  since: Date;
  now: Date;
  /** When the digest was due, if it is late. */
  lateFrom: Date | undefined;
  /** Where answers to the alerts' buttons go. */
  channelId: string;
};

/**
 * What has happened since the last digest. Mentions nobody, because a mention would notify that person
 * every day.
 */
export function digestMessage(view: DigestView): Message {
  const { contents, settings, since, now, lateFrom, channelId } = view;
  const { newAlerts, openAlerts, clearedAlerts, canClear, compliance } = contents;
  const { pendingRequestCount, tokenExpiresAt } = contents;
  const stopped = openAlerts?.stopped ?? newAlerts?.stopped ?? clearedAlerts?.stopped;
  const sinceText = moment(since);
  const actionsOf = (alert: Alert) => alertButtons(alert, { channelId, canClear });
  const title = isEmpty(contents) ? formatNothing(contents) : formatAlertCounts(contents);
  // Before compliance, whose policy names can fill a section, or the text, to its limit.
  const short = [
    ...(stopped ? [formatStopped(stopped)] : []),
    ...(pendingRequestCount ? [formatPending(pendingRequestCount)] : []),
    ...(tokenExpiresAt ? [formatTokenExpiry(tokenExpiresAt, now)] : []),
  ];
  const long = compliance ? formatCompliance(compliance) : [];
  const late = lateFrom ? [`Late: it was due ${moment(lateFrom)}`] : [];
  const footer = [formatSchedule(settings), '`/belay digest` shows and changes it'];
  const blocks: KnownBlock[] = [
    section(`*Since ${sinceText}*\n${title}`),
    ...alertBlocks('New', newAlerts, { kind: 'new', maxShown: maxNewShown, actionsOf }),
    ...alertBlocks(newAlerts ? 'Still open' : 'Open', openAlerts, {
      kind: 'open',
      maxShown: maxOpenShown,
      actionsOf,
    }),
    ...[short, long].filter((lines) => lines.length > 0).map((lines) => section(lines.join('\n'))),
    context([...late, ...footer].join(' · ')),
  ];
  return message([`Since ${sinceText}: ${title}`, ...late, ...short, ...long].join('\n'), blocks);
}

/** Posted in place of a digest that could not be collected. */
export function digestFailedMessage(
  settings: DigestSettings,
  { since, cause }: { since: Date; cause: string },
): Message {
  const sinceText = moment(since);
  const title = `There is no digest this time. The next one tells all since ${sinceText}.`;
  const blocks = [section(`*${title}*\n${cause}`), context(formatSchedule(settings))];
  return message(`${title} ${cause}`, blocks);
}

function formatNothing({ openAlerts, compliance }: DigestContents): string {
  const isUnchanged =
    compliance?.result === 'read' &&
    compliance.hasBaseline &&
    compliance.unreadCount === 0 &&
    compliance.changes.length === 0;
  const checked = [
    openAlerts && 'no alert is open',
    isUnchanged && 'compliance is as it was',
  ].filter(Boolean);
  return [':heavy_check_mark: Nothing to report', ...checked].join(', ').concat('.');
}

function formatStopped({ examinedCount, backTo, hasShrunk }: Stopped): string {
  if (hasShrunk) {
    return ':hourglass: The list of alerts became shorter while Belay read it, so some may be missing here.';
  }
  const reach = backTo ? `, back to ${age(backTo)}` : '';
  return `:hourglass: Belay stopped after the newest ${plural(examinedCount, 'alert')}${reach}. Older ones were not looked at.`;
}

function formatPending(count: number): string {
  const wait = count === 1 ? 'One request waits' : `${count} requests wait`;
  return `*Approvals* · ${wait} for approval.`;
}

/** How long the token stays valid, and what to do. */
export function formatTokenExpiry(expiresAt: Date, now: Date): string {
  const leftMs = expiresAt.getTime() - now.getTime();
  const when = moment(expiresAt);
  const days = Math.floor(leftMs / dayMs);
  const expires =
    leftMs <= 0
      ? `has expired (${when})`
      : days === 0
        ? `expires today or tomorrow (${when})`
        : `expires in ${plural(days, 'day')} (${when})`;
  return `:warning: *API token* · it ${expires}. An admin can enter a new one with \`/belay setup\`.`;
}

function alertBlocks(
  title: string,
  group: AlertGroup | undefined,
  {
    kind,
    maxShown,
    actionsOf,
  }: { kind: 'new' | 'open'; maxShown: number; actionsOf: (alert: Alert) => KnownBlock[] },
): KnownBlock[] {
  if (!group || group.alerts.length === 0) return [];
  const shown = group.alerts.slice(0, maxShown);
  const more = group.alerts.length - shown.length;
  const rest =
    more > 0 ? [context(`${plural(more, `more ${kind} alert`)}: \`/belay alerts\``)] : [];
  return [
    ...shown.flatMap((alert, index) => {
      const heading = index === 0 ? `*${title}*\n` : '';
      return [section(`${heading}${formatAlertLine(alert)}`), ...actionsOf(alert)];
    }),
    ...rest,
  ];
}

/** None for an alert whose id is too long for a button. */
function alertButtons(
  alert: Alert,
  { channelId, canClear }: { channelId: string; canClear: boolean },
): KnownBlock[] {
  const offered = [
    detailsButton(alert, channelId),
    canClear ? clearButton(alert, channelId) : undefined,
  ];
  const buttons = offered.filter((one) => one !== undefined);
  return buttons.length > 0 ? [actions(buttons)] : [];
}
