import { input, type KnownBlock } from '../../../slack/ui/blocks.ts';
import { isDay, isDayName } from '../../../slack/ui/typed-since.ts';
import {
  focused,
  multiSelectElement,
  selectElement,
  textElement,
} from '../../../slack/ui/view-values.ts';
import { capitalize, plural } from '../../../slack/ui/words.ts';
import { type AlertSearch, maxNames, maxValueLength, sorts, statuses } from '../alert-search.ts';
import { anyTime, currentSince, filterBlocks, maxWordsLength } from '../filter-form.ts';
import type { AlertValues } from '../known-values.ts';
import { humanizeCapitalized } from './format-alert.ts';
import { formatWords, sortLabels, statusLabels } from './format-search.ts';

type Choice = { value: string; label: string };

/**
 * The fields of a filter, filled with a search; `readFilterForm` reads them. Without
 * `hasListOptions`, status, time and order are left out. The first field has the focus, for modals
 * that begin with it.
 */
export function filterInputs(
  search: AlertSearch,
  known: AlertValues,
  { hasListOptions = true, hasFocus = true }: { hasListOptions?: boolean; hasFocus?: boolean } = {},
): KnownBlock[] {
  const { severities, status, types, policy, since, sort } = search;
  const statusChoices = statuses.map((value) => ({ value, label: statusLabels[value] }));
  const sortChoices = sorts.map((value) => ({ value, label: capitalize(sortLabels[value]) }));
  const list = (blocks: KnownBlock[]) => (hasListOptions ? blocks : []);
  const severity = namesElement('Any severity', known.severities, severities);
  const type = namesElement('Any type', known.types, types);
  return [
    input({
      blockId: filterBlocks.severity,
      label: 'Severity',
      isOptional: true,
      element: hasFocus ? focused(severity) : severity,
    }),
    ...list([selectInput(filterBlocks.status, 'Status', statusChoices, status)]),
    input({ blockId: filterBlocks.type, label: 'Type', element: type, isOptional: true }),
    input({
      blockId: filterBlocks.policy,
      label: 'Policy',
      isOptional: true,
      hint: 'The name of a policy, or a part of that name.',
      element: textElement({
        maxLength: maxValueLength,
        initial: policy?.slice(0, maxValueLength),
      }),
    }),
    ...list([selectInput(filterBlocks.since, 'Updated', sinceChoices, since ?? anyTime)]),
    input({
      blockId: filterBlocks.words,
      label: 'Text',
      isOptional: true,
      hint: 'Words that an alert must contain, for example the name of a volume.',
      element: textElement({
        maxLength: maxWordsLength,
        initial: formatWords(search.words).slice(0, maxWordsLength),
      }),
    }),
    ...list([selectInput(filterBlocks.sort, 'Order', sortChoices, sort)]),
  ];
}

/** A menu of names. Names of the current search are offered even if they are not known. */
function namesElement(
  placeholder: string,
  known: readonly string[],
  current: readonly string[] = [],
) {
  const names = [...new Set([...known, ...current])];
  const choices = names.map((name) => ({ value: name, label: humanizeCapitalized(name) }));
  return multiSelectElement(choices, current, { placeholder, maxSelected: maxNames });
}

/** Offers the current value even if it is not in the menu, so that submitting does not change it. */
function selectInput(blockId: string, label: string, choices: Choice[], current: string) {
  const isOffered = choices.some((choice) => choice.value === current);
  const offered = isOffered
    ? choices
    : [...choices, { value: currentSince, label: formatSince(current) }];
  const element = selectElement(offered, isOffered ? current : currentSince);
  return input({ blockId, label, element });
}

const sinceChoices: Choice[] = [
  { value: anyTime, label: 'Any time' },
  { value: '1h', label: 'Last hour' },
  { value: '1d', label: 'Last day' },
  { value: '1w', label: 'Last week' },
  { value: '30d', label: 'Last 30 days' },
];

const units = new Map([
  ['h', 'hour'],
  ['d', 'day'],
  ['w', 'week'],
]);

/** "Last 10 weeks", "Since Monday" or "Since 2026-11-01" */
function formatSince(since: string): string {
  if (isDayName(since)) {
    const isWeekday = since.endsWith('day') && since !== 'today' && since !== 'yesterday';
    return `Since ${isWeekday ? capitalize(since) : since}`;
  }
  if (isDay(since)) return `Since ${since}`;
  return `Last ${plural(Number.parseInt(since, 10), units.get(since.slice(-1)) ?? '')}`;
}
