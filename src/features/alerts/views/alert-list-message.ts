import {
  actions,
  type Button,
  button,
  context,
  divider,
  type KnownBlock,
  type Message,
  message,
  section,
} from '../../../slack/ui/blocks.ts';
import { encodeValue } from '../../../slack/ui/codec.ts';
import { limits } from '../../../slack/ui/limits.ts';
import type { FoundAlerts } from '../find-alerts.ts';
import { addMarks, marksBefore } from '../find-alerts.ts';
import {
  type AlertGroup,
  formatAlertSentence,
  groupAlerts,
  groupSections,
  subjectKey,
} from './alert-section.ts';
import { formatAge } from './format-alert.ts';
import { formatCounts } from './format-counts.ts';
import { describeSearch, formatCommand, sortLabels, statusLabels } from './format-search.ts';
import { filterActionId, newerActionId, olderActionId } from './ids.ts';

/** One page of a search, with a notice when not all alerts could be examined. */
export function alertListMessage(found: FoundAlerts): Message {
  const title = titleOf(found);
  const counts = found.matched.length > 0 ? [countsOf(found)] : [];
  const filter = describeSearch(found.search, found.now);
  const shownFilter = filter ? [`Only: ${filter}`] : [];
  const notes = [formatStopped(found), formatLastPage(found), footer(found)].filter(
    (line) => line !== undefined,
  );
  const blocks: KnownBlock[] = [
    section([`*${title}${groupedBy(found)}*`, ...counts].join('\n')),
    ...shownFilter.map(context),
    ...groupBlocks(found),
    ...(found.alerts.length > 0 ? [divider()] : []),
    actions(buttonsOf(found)),
    ...notes.map(context),
  ];
  const heading = [title, ...counts, ...shownFilter].map((line) => `${line}.`);
  const sentences = found.alerts.map((alert) => formatAlertSentence(alert, found.search.sort));
  const text = [...heading, ...sentences, ...notes].join('\n');
  return message(text, blocks);
}

function titleOf({ alerts, search, now, pageNumber, hasMore, stopped }: FoundAlerts): string {
  const what = statusLabels[search.status];
  if (alerts.length > 0) return `${what}, ${sortLabels[search.sort]}`;
  const none = `o ${pageNumber > 1 || hasMore ? 'more ' : ''}${what.toLowerCase()}`;
  const isFiltered = describeSearch(search, now) !== '';
  const matching = isFiltered ? ' match this filter' : '';
  if (stopped) return `N${none}${matching} so far`;
  if (isFiltered || search.status !== 'active' || pageNumber > 1) return `N${none}${matching}`;
  return `N${none}. All is quiet`;
}

/** Grouping moves alerts out of their order, so the title says so; the plain text is not grouped. */
function groupedBy({ alerts }: FoundAlerts): string {
  const several = groupAlerts(alerts).filter((group) => group.alerts.length > 1);
  if (several.length === 0) return '';
  const isByPolicy = several.every(({ subject }) => subject?.type === 'policy');
  return `, grouped by ${isByPolicy ? 'policy' : 'what they concern'}`;
}

function countsOf({ matched, isComplete, search }: FoundAlerts): string {
  return formatCounts({ matched, isComplete, status: search.status });
}

function groupBlocks({ alerts, matched, isComplete, search }: FoundAlerts): KnownBlock[] {
  const totals = Map.groupBy(matched, subjectKey);
  return groupAlerts(alerts).flatMap((group) => [
    divider(),
    ...groupSections(group, totalOf(group, totals, isComplete), search.sort),
  ]);
}

/** How many alerts the subject has in the whole list; empty for a single one. */
function totalOf(
  { alerts }: AlertGroup,
  totals: Map<string, unknown[]>,
  isComplete: boolean,
): string {
  const [first] = alerts;
  const total = first ? (totals.get(subjectKey(first))?.length ?? 0) : 0;
  if (total < 2) return '';
  const here = total > alerts.length ? `, ${alerts.length} of them on this page` : '';
  return ` · ${isComplete ? '' : 'at least '}${total} alerts${here}`;
}

function buttonsOf(found: FoundAlerts): Button[] {
  const { search, pageNumber, asOf, shown } = found;
  const isByTime = search.sort === '-updated';
  const newer = button({
    text: isByTime ? 'Newer' : 'Previous',
    actionId: newerActionId,
    value: encodeValue({
      ...{ search, asOf, pageNumber: pageNumber - 1 },
      shown: marksBefore(shown, pageNumber - 1),
    }),
    accessibilityLabel: `Previous page${isByTime ? ', with newer alerts' : ''}`,
  });
  const next = nextPage(found);
  const older = (value: string) =>
    button({
      text: isByTime ? 'Older' : 'Next',
      actionId: olderActionId,
      value,
      accessibilityLabel: `Next page${isByTime ? ', with older alerts' : ''}`,
    });
  const filter = button({
    text: 'Filter…',
    actionId: filterActionId,
    value: encodeValue({ search }),
    accessibilityLabel: 'Choose which alerts to see',
  });
  return [...(pageNumber > 1 ? [newer] : []), ...(next ? [older(next)] : []), filter];
}

/** The value of *Older*. Undefined on the last page, and once a button can't carry the page marks. */
function nextPage(found: FoundAlerts): string | undefined {
  const { search, pageNumber, asOf, shown, alerts, hasMore } = found;
  if (!hasMore) return undefined;
  const next = { search, asOf, pageNumber: pageNumber + 1, shown: addMarks(shown, alerts) };
  return JSON.stringify(next).length <= limits.actionValue ? encodeValue(next) : undefined;
}

function formatLastPage(found: FoundAlerts): string | undefined {
  if (!found.hasMore || nextPage(found)) return undefined;
  return 'There are more, but a list has no more pages than these. *Filter…* shortens it.';
}

function formatStopped({ stopped, search, matched }: FoundAlerts): string | undefined {
  if (!stopped) return undefined;
  if (stopped.hasShrunk) {
    return ':hourglass: The list of alerts became shorter while Belay read it, so some may be missing here. Please run the command again.';
  }
  const backTo = stopped.backTo ? `, back to ${formatAge(stopped.backTo)}` : '';
  const isSorted = search.sort !== '-updated' && matched.length > 0;
  const sorted = isSorted ? ' Only what was found in these is sorted.' : '';
  return `:hourglass: This took too long, so Belay stopped after the newest ${stopped.examinedCount} alerts${backTo}. Older ones were not looked at.${sorted}`;
}

function footer({ alerts, search, pageNumber, asOf }: FoundAlerts): string | undefined {
  const command = formatCommand(search);
  if (alerts.length === 0 && pageNumber === 1) {
    return command && `Asked with ${command} · \`/belay alerts\` alone shows all active alerts`;
  }
  const parts = [
    `Page ${pageNumber}`,
    command ? `the same again: ${command}` : 'cleared alerts are not shown',
    pageNumber > 1 && asOf && `for alerts since ${formatAge(asOf)}, run the command again`,
  ];
  return parts.filter(Boolean).join(' · ');
}
