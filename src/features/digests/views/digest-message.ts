import type { Alert } from '../../../dataprotection/resources/alerts.ts';
import { formatReviewCount } from '../../../requests/break-glass/views/review-blocks.ts';
import { thisPlace } from '../../../slack/api/channel.ts';
import {
  context,
  divider,
  type KnownBlock,
  type Message,
  message,
  section,
} from '../../../slack/ui/blocks.ts';
import { code, moment, safe } from '../../../slack/ui/mrkdwn.ts';
import { capitalize, plural } from '../../../slack/ui/words.ts';
import {
  changesCommand,
  formatChange,
  formatOrigin,
  formatUnobserved,
  formatUnread,
  formatWeakening,
} from '../../policy-watches/index.ts';
import {
  type AlertGroup,
  type ChangedPolicies,
  type DigestContents,
  type DrillCounts,
  isEmpty,
  type Stopped,
} from '../collect/digest-contents.ts';
import type { DigestSettings } from '../digest.ts';
import { alertBlocks } from './alert-blocks.ts';
import { formatCompliance } from './format-compliance.ts';
import { formatFilters, formatSchedule } from './format-settings.ts';

type DigestView = {
  settings: DigestSettings;
  contents: DigestContents;
  since: Date;
  now: Date;
  /** When the digest was due, if it is late. */
  lateFrom?: Date | undefined;
  /** Where answers to the alerts' buttons go. */
  channelId: string;
};

/**
 * What has happened since the last digest: at most three lines, then a section for each part. Mentions
 * nobody, because a mention would notify that person every day.
 */
export function digestMessage(view: DigestView): Message {
  const { contents, settings, since, now, lateFrom, channelId } = view;
  const { search } = settings;
  const { newAlerts, openAlerts, clearedAlerts, compliance, drills, mutedCount } = contents;
  const { changedPolicies, pendingRequestCount, unreviewedRuns, tokenExpiresAt } = contents;
  const stopped = openAlerts?.stopped ?? newAlerts?.stopped ?? clearedAlerts?.stopped;
  const hasNothing = isEmpty(contents);
  const title = `${hasNothing ? 'nothing to report since' : 'since'} ${moment(since)}`;
  const icon = hasNothing ? ':white_check_mark:' : ':bar_chart:';
  const filters = formatFilters(settings);
  const summary = hasNothing
    ? findings(contents, { isFiltered: filters.length > 0 })
    : formatAlertCounts(contents);
  const notes = [
    ...(lateFrom ? [`Late: due ${moment(lateFrom)}`] : []),
    ...(stopped ? [formatStopped(stopped)] : []),
  ].join(' · ');
  const lead = [capitalize(summary.join(' · ')), notes && `:hourglass: ${notes}`].filter(Boolean);
  // Before compliance, whose policy names can fill a section, or the text, to its limit.
  const short = [
    ...(unreviewedRuns?.count ? [formatUnreviewedRuns(unreviewedRuns)] : []),
    ...(mutedCount ? [formatMuted(mutedCount, channelId)] : []),
    ...(drills ? formatDrills(drills) : []),
    ...(pendingRequestCount ? [formatPending(pendingRequestCount)] : []),
    ...(tokenExpiresAt ? [formatTokenExpiry(tokenExpiresAt, now)] : []),
  ];
  const changed = changedPolicies ? formatChangedPolicies(changedPolicies) : [];
  const long = compliance ? [formatCompliance(compliance)] : [];
  const details: KnownBlock[] = [
    ...alertBlocks({ newAlerts, openAlerts }, { search, channelId }),
    ...[short, changed, long]
      .filter((lines) => lines.length > 0)
      .map((lines) => section(lines.join('\n'))),
  ];
  const blocks = [
    section([`${icon} *Digest* · ${title}`, ...lead].join('\n')),
    ...filters.map(context),
    ...(details.length > 0 ? [divider(), ...details] : []),
    context(`${formatSchedule(settings)} · Manage digests with \`/belay digest\``),
  ];
  // Without the alerts, whose names could leave no room for what needs action.
  const lines = [`Digest · ${title}`, ...lead, ...filters, ...short, ...changed, ...long];
  return message(blocks, lines.join('\n'));
}

/** Posted in place of a digest that could not be collected. */
export function digestFailedMessage(
  settings: DigestSettings,
  { since, cause }: { since: Date; cause: string },
): Message {
  const next = `The next digest covers everything since ${moment(since)}.`;
  return message([
    section(`:warning: *Digest unavailable*\n${cause}\n${next}`),
    context(formatSchedule(settings)),
  ]);
}

/** What was found to be in order. */
function findings(
  { openAlerts, compliance, changedPolicies }: DigestContents,
  { isFiltered }: { isFiltered: boolean },
): string[] {
  const isUnchanged =
    compliance?.result === 'read' &&
    compliance.hasBaseline &&
    compliance.unreadCount === 0 &&
    compliance.changes.length === 0;
  return [
    ...(openAlerts ? [`no active alerts${isFiltered ? ' match' : ''}`] : []),
    ...(isUnchanged ? ['compliance unchanged'] : []),
    ...(changedPolicies
      ? [changedPolicies.isListed ? 'no policy changes' : 'no policy changes through Belay']
      : []),
  ];
}

function formatStopped({ examinedCount, backTo, hasShrunk }: Stopped): string {
  if (hasShrunk) {
    return 'The list of alerts became shorter while Belay read it, so alerts may be missing.';
  }
  const reach = backTo ? `, back to ${moment(backTo)}` : '';
  return `Belay stopped after the newest ${plural(examinedCount, 'alert')}${reach}. Older alerts weren't checked.`;
}

function formatUnreviewedRuns({
  count,
  link,
}: NonNullable<DigestContents['unreviewedRuns']>): string {
  return [`⚠ *${formatReviewCount(count)}*`, ...(link ? [link] : []), code('/belay requests')].join(
    ' · ',
  );
}

/** "Restore drills · 1 failed · 2 of 3 restored": failures first. */
function formatDrills({ restored, failed, unknown }: DrillCounts): string[] {
  const total = restored + failed + unknown;
  if (total === 0) return [];
  const facts = [
    failed > 0 && `⚠ ${failed} failed`,
    unknown > 0 && `⚠ ${plural(unknown, 'unknown outcome')}`,
    `${restored} of ${total} restored`,
    failed + unknown > 0 && code('/belay drill report'),
  ];
  return [['*Restore drills*', ...facts].filter(Boolean).join(' · ')];
}

function formatMuted(count: number, channelId: string): string {
  return `*Muted in ${thisPlace(channelId)}* · ${plural(count, 'alert')} · ${code('/belay mute')}`;
}

function formatPending(count: number): string {
  return `*Pending requests* · ${count} waiting for approval`;
}

function formatTokenExpiry(expiresAt: Date, now: Date): string {
  const when = `${expiresAt > now ? 'expires' : 'expired'} ${moment(expiresAt)}`;
  return `:warning: *API token* · ${when} · An admin can enter a new token with \`/belay setup\`.`;
}

const maxShown = 3;

/** A line for each of the first changes to policies, one for the rest, and what is unknown. */
function formatChangedPolicies(policies: ChangedPolicies): string[] {
  const { changes, isComplete, unreadSince, unobservedUntil } = policies;
  const unknown = [
    ...(unobservedUntil ? [formatUnobserved(unobservedUntil)] : []),
    ...(unreadSince ? [formatUnread(unreadSince)] : []),
  ];
  if (changes.length === 0) return unknown;
  const more = changes.length - maxShown;
  const atLeast = isComplete ? '' : 'at least ';
  return [
    `*Policy changes* · ${atLeast}${changes.length}${formatWeakening(changes)}`,
    ...changes
      .slice(0, maxShown)
      .map((change) => `• ${formatChange(change)} · ${formatOrigin(change)}`),
    ...(more > 0 ? [`• ${atLeast}${more} more · ${changesCommand}`] : []),
    ...unknown,
  ];
}

type Groups = Pick<DigestContents, 'newAlerts' | 'openAlerts' | 'clearedAlerts'>;

/** "3 new alerts (2 errors, 1 warning)", "12 still active", "5 cleared" */
function formatAlertCounts({ newAlerts, openAlerts, clearedAlerts }: Groups): string[] {
  const countOpen = (count: number) =>
    newAlerts ? `${count} still active` : plural(count, 'active alert');
  return [
    newAlerts && formatGroup(newAlerts, 'new', (count) => plural(count, 'new alert')),
    openAlerts && formatGroup(openAlerts, 'active', countOpen),
    clearedAlerts && formatGroup(clearedAlerts, 'cleared', (count) => `${count} cleared`),
  ].filter((part) => part !== undefined);
}

/** A count of alerts that could not all be read is a minimum, and 0 of them proves nothing. */
function formatGroup(
  group: AlertGroup,
  kind: 'new' | 'active' | 'cleared',
  formatCount: (count: number) => string,
): string {
  const { alerts, stopped } = group;
  if (stopped && alerts.length === 0) return `no ${kind} alerts found`;
  const counted = `${stopped ? 'at least ' : ''}${formatCount(alerts.length)}`;
  return kind === 'cleared' ? counted : `${counted}${formatSeverities(group)}`;
}

const maxSeverities = 3;
const countable = new Set(['error', 'warning', 'notice']);

function formatSeverities({ alerts }: AlertGroup): string {
  const groups = Map.groupBy(alerts, ({ severity }: Alert) => severity ?? 'without severity');
  if (groups.size === 0) return '';
  const shown = [...groups].slice(0, maxSeverities);
  const counts = shown.map(([name, { length }]) =>
    countable.has(name) ? plural(length, name) : `${length} ${safe(name, 40)}`,
  );
  const left = groups.size - shown.length;
  const rest = left > 0 ? [plural(left, 'other severity', 'other severities')] : [];
  return ` (${[...counts, ...rest].join(', ')})`;
}
