import { isCleared } from '../../../dataprotection/resources/alert-filter.ts';
import type { Alert } from '../../../dataprotection/resources/alerts.ts';
import { parseTimestamp } from '../../../dataprotection/timestamp.ts';
import {
  actions,
  actionsIfAny,
  type Button,
  button,
  context,
  divider,
  type KnownBlock,
  type Message,
  menu,
  message,
  section,
} from '../../../slack/ui/blocks.ts';
import { encodeValue } from '../../../slack/ui/codec.ts';
import { limits } from '../../../slack/ui/limits.ts';
import { link, moment, safe } from '../../../slack/ui/mrkdwn.ts';
import { plural } from '../../../slack/ui/words.ts';
import { alertKey } from '../alert-key.ts';
import type { AlertSearch } from '../alert-search.ts';
import {
  type AlertQuery,
  addMarks,
  countMarks,
  type FoundAlerts,
  marksOfPrevious,
} from '../find-alerts.ts';
import type { AlertState, AlertStates } from '../store/alert-states.ts';
import { policyAlertsButton, viewPolicyButton } from './alert-buttons.ts';
import { type AlertGroup, groupAlerts, groupSections, subjectKey } from './alert-section.ts';
import { humanize, plainTitle } from './format-alert.ts';
import { describeSearch, formatCommand, sortLabels, statusLabels } from './format-search.ts';
import {
  acknowledgeActionId,
  alertPager,
  clearAllActionId,
  filterActionId,
  snoozeActionId,
  watchActionId,
} from './ids.ts';

/**
 * One page of a search, with a notice when not all alerts could be examined. `portalUrl` is where
 * people sign in to the service, if that is known.
 */
export function alertListMessage(
  found: FoundAlerts,
  {
    portalUrl,
    states = new Map(),
    notes: before = [],
    mayClear = false,
  }: {
    portalUrl?: string | undefined;
    states?: AlertStates | undefined;
    /** Lines of mrkdwn above the list. */
    notes?: string[] | undefined;
    /** Whether the service supports clearing, and the person may. */
    mayClear?: boolean;
  } = {},
): Message {
  const counts = found.matched.length > 0 ? [countsOf(found)] : [];
  const described = describeSearch(found.search, found.now);
  const filters = described ? [`Filters: ${described}`] : [];
  const notes = [formatStopped(found), formatLastPage(found), hintOf(found)];
  const footer = [...notes, footerOf(found, portalUrl)].filter((line) => line !== undefined);
  return message([
    ...before.map(context),
    section([`*${titleOf(found)}*`, ...counts].join('\n')),
    ...filters.map(context),
    ...groupBlocks(found, states),
    ...(found.alerts.length > 0 ? [divider()] : []),
    actions([
      ...buttonsOf(found),
      ...menusOf(found, states),
      ...(mayClear ? clearAllButton(found) : []),
    ]),
    ...footer.map(context),
  ]);
}

/** The title is the same on every page, also if no two alerts of a page share a policy. */
function titleOf({ alerts, search, now, shown, hasMore, stopped }: FoundAlerts): string {
  const what = statusLabels[search.status];
  if (alerts.length > 0) return `${what} by policy, ${sortLabels[search.sort]}`;
  const none = `No ${shown || hasMore ? 'more ' : ''}${what.toLowerCase()}`;
  if (stopped) return `${none} found so far`;
  return describeSearch(search, now) ? `${none} match these filters` : none;
}

function countsOf({ alerts, matched, isComplete, search, shown }: FoundAlerts): string {
  const range = { shownBefore: countMarks(shown), shownHere: alerts.length };
  return formatCounts({ matched, isComplete, status: search.status, ...range });
}

/** Groups with a divider before each, except between groups of a single alert. */
function groupBlocks(
  { alerts, matched, isComplete, search }: FoundAlerts,
  states: AlertStates,
): KnownBlock[] {
  const totals = Map.groupBy(matched, subjectKey);
  const groups = groupAlerts(alerts).map((group) => {
    const [first] = group.alerts;
    const total = first ? (totals.get(subjectKey(first))?.length ?? 0) : 0;
    const count = formatGroupCount(group, total, isComplete);
    return { group, count, hasMore: total > group.alerts.length };
  });
  return groups.flatMap(({ group, count, hasMore }, index) => {
    const isAfterSingle = groups[index - 1]?.count === '';
    const buttons = count ? policyButtons(group, { search, hasMore }) : [];
    return [
      ...(count === '' && isAfterSingle ? [] : [divider()]),
      ...groupSections(group, count, { sort: search.sort, states }),
      ...actionsIfAny(buttons),
    ];
  });
}

/** How many of the subject's alerts are shown here; empty for a single one. */
function formatGroupCount({ alerts }: AlertGroup, total: number, isComplete: boolean): string {
  if (total < 2) return '';
  const least = isComplete ? '' : 'at least ';
  return total > alerts.length
    ? `showing ${alerts.length} of ${least}${total}`
    : `${least}${total} alerts`;
}

/** For a group about a policy. `hasMore`: it has alerts that the page does not show. */
function policyButtons(
  { subject }: AlertGroup,
  { search, hasMore }: { search: AlertSearch; hasMore: boolean },
): (Button | undefined)[] {
  if (subject?.type !== 'policy') return [];
  const { id = '', value: name = '' } = subject;
  const isListed = search.policy !== undefined || !hasMore;
  const alerts = isListed ? undefined : policyAlertsButton({ id, name }, search);
  return [alerts, viewPolicyButton({ id, name: name || id })];
}

function buttonsOf(found: FoundAlerts): Button[] {
  const { search, asOf, listedAt, shown, now } = found;
  const previous = { search, asOf, listedAt, shown: marksOfPrevious(shown) };
  const value = encodeValue({ search });
  const watch = describeSearch(search, now) === '' ? 'Watch alerts' : 'Watch this filter';
  return [
    ...alertPager.buttons(
      { previous: shown ? previous : undefined, next: nextPage(found), refresh: { search } },
      search.sort === '-updated' ? { previous: 'Newer', next: 'Older' } : undefined,
    ),
    button({
      text: 'Filter',
      actionId: filterActionId,
      value,
      accessibilityLabel: 'Filter the list of alerts',
    }),
    button({
      text: watch,
      actionId: watchActionId,
      value,
      accessibilityLabel: `${watch}: post new alerts in this channel`,
    }),
  ];
}

/** *Acknowledge…* for the alerts of the page that nobody owns, *Snooze…* for those that aren't snoozed. */
function menusOf({ alerts }: FoundAlerts, states: AlertStates) {
  const offered = alerts.flatMap((alert) => {
    if (isCleared(alert) || alert.id.length > limits.optionValue) return [];
    const value = encodeValue({ alertId: alert.id });
    const state = states.get(alertKey(alert));
    return value.length > limits.optionValue ? [] : [{ value, text: plainTitle(alert), state }];
  });
  const menuOf = (
    actionId: string,
    placeholder: string,
    isListed: (of?: AlertState) => boolean,
  ) => {
    const options = offered.filter(({ state }) => isListed(state));
    return options.length > 0 ? [menu({ actionId, placeholder, options })] : [];
  };
  return [
    ...menuOf(acknowledgeActionId, 'Acknowledge…', (state) => !state?.owner),
    ...menuOf(snoozeActionId, 'Snooze…', (state) => !state?.snooze),
  ];
}

/** A single alert is cleared in its details. */
function clearAllButton({ search, matched }: FoundAlerts): Button[] {
  if (search.status !== 'active' || matched.length < 2) return [];
  return [
    button({
      text: 'Clear all…',
      actionId: clearAllActionId,
      value: encodeValue({ search }),
      accessibilityLabel: 'Clear all alerts that match',
    }),
  ];
}

/** Undefined on the last page, and once a button can't carry the page marks. */
function nextPage(found: FoundAlerts): AlertQuery | undefined {
  const { search, asOf, listedAt, shown, alerts, hasMore } = found;
  if (!hasMore) return undefined;
  const next = { search, asOf, listedAt, shown: addMarks(shown, alerts) };
  return JSON.stringify(next).length <= limits.actionValue ? next : undefined;
}

function formatLastPage(found: FoundAlerts): string | undefined {
  if (!found.hasMore || nextPage(found)) return undefined;
  return 'There are more alerts than a list can show. Use *Filter* to narrow it.';
}

function formatStopped({ stopped, search, matched }: FoundAlerts): string | undefined {
  if (!stopped) return undefined;
  if (stopped.hasShrunk) {
    return ':hourglass: The list changed while Belay read it, so some alerts may be missing. Refresh to read it again.';
  }
  const at = parseTimestamp(stopped.backTo);
  const backTo = at ? `, updated since ${moment(at)}` : '';
  const isSorted = search.sort !== '-updated' && matched.length > 0;
  const sorted = isSorted ? ' Only these are sorted.' : '';
  return `:hourglass: Partial results: the newest ${stopped.examinedCount} alerts${backTo}.${sorted}`;
}

/** What to do about an empty list. */
function hintOf({ alerts, search, shown }: FoundAlerts): string | undefined {
  if (alerts.length > 0 || shown || !formatCommand(search)) return undefined;
  const { policy, words } = search;
  if (policy !== undefined && words.length > 0) {
    const whole = { ...search, policy: [policy, ...words].join(' '), words: [] };
    return `Put a policy name with spaces in quotation marks: ${formatCommand(whole)}`;
  }
  return 'Remove a filter, or run `/belay alerts` to see all active alerts.';
}

function footerOf({ search, listedAt }: FoundAlerts, portalUrl: string | undefined): string {
  const command = formatCommand(search);
  const parts = [
    `Results from ${moment(new Date(listedAt), '{time}')}`,
    command && `Command: ${command}`,
    portalUrl && link(portalUrl, 'Open portal'),
  ];
  return parts.filter(Boolean).join(' · ');
}

type Counted = {
  matched: Alert[];
  isComplete: boolean;
  status: AlertSearch['status'];
  /** How many alerts are on the pages before this one, and on this one. */
  shownBefore: number;
  shownHere: number;
};

/** "1-10 of 389 active: 100 errors, 289 warnings", with "at least" if not all alerts were examined. */
export function formatCounts(counted: Counted): string {
  const { matched, isComplete, status, shownBefore, shownHere } = counted;
  const severities = Map.groupBy(matched, ({ severity }) => severity ?? '');
  const inOrder = [...severities].sort(([one], [other]) => rankOf(one) - rankOf(other));
  const counts = inOrder
    .slice(0, shownSeverities)
    .map(([name, { length }]) => countOf(name, length));
  const left = inOrder.slice(shownSeverities).reduce((sum, [, { length }]) => sum + length, 0);
  if (left > 0) counts.push(`${left} of other severities`);
  const last = shownBefore + shownHere;
  // Alerts that were shown may have been cleared since, and then count no more.
  const total = Math.max(matched.length, last);
  const range = shownHere > 0 && shownHere < total ? `${shownBefore + 1}-${last} of ` : '';
  const least = isComplete ? '' : `${range ? 'at least' : 'At least'} `;
  return `${range}${least}${total} ${nounOf(matched, status)}: ${counts.join(', ')}`;
}

const shownSeverities = 5;
const knownSeverities = ['error', 'warning', 'notice'];

/** Errors, warnings, notices, other severities, and alerts without a severity last. */
function rankOf(severity: string): number {
  if (severity === '') return knownSeverities.length + 1;
  const rank = knownSeverities.indexOf(severity);
  return rank === -1 ? knownSeverities.length : rank;
}

function countOf(severity: string, count: number): string {
  if (severity === '') return `${count} without a severity`;
  if (knownSeverities.includes(severity)) return plural(count, severity);
  return `${count} with severity ${safe(humanize(severity), 60)}`;
}

function nounOf(matched: Alert[], status: AlertSearch['status']): string {
  if (status !== 'all') return status;
  const cleared = matched.filter(isCleared).length;
  const noun = matched.length === 1 ? 'alert' : 'alerts';
  return `${noun} (${matched.length - cleared} active, ${cleared} cleared)`;
}
