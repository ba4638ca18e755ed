import { splitWords } from '../../slack/ui/typed-filter.ts';
import { isSince } from '../../slack/ui/typed-since.ts';
import type { ViewValues } from '../../slack/ui/view-values.ts';
import {
  type AlertSearch,
  alertSearchSchema,
  defaultSearch,
  maxValueLength,
  normalizeText,
  sorts,
  statuses,
} from './alert-search.ts';

export const filterBlocks = {
  severity: 'severity',
  status: 'status',
  type: 'type',
  policy: 'policy',
  since: 'since',
  words: 'words',
  sort: 'sort',
} as const;

/** Fits the words of any search. */
export const maxWordsLength = 2000;

/** The menu values for "at any time" and for a `since` that is not one of the menu's own choices. */
export const anyTime = '*';
export const currentSince = '=';

/** For a filter that is longer than a form or a button can carry: error messages by block id. */
export const filterTooLong: Record<string, string> = {
  [filterBlocks.words]: 'This filter is too long. Choose fewer values, or use fewer words.',
};

/**
 * Reads the fields of `filterInputs`: the search that was chosen, or error messages by block id, with
 * the search that was `rejected`. Fields that a form leaves out have their default.
 */
export function readFilterForm(
  values: ViewValues,
  current: AlertSearch,
): { search: AlertSearch } | { errors: Record<string, string>; rejected: AlertSearch } {
  const [status, sort] = [values.option(filterBlocks.status), values.option(filterBlocks.sort)];
  const read = {
    severities: chosenNames(values.options(filterBlocks.severity)),
    status: statuses.find((known) => known === status) ?? defaultSearch.status,
    types: chosenNames(values.options(filterBlocks.type)),
    policy: normalizeText(values.text(filterBlocks.policy) ?? '') || undefined,
    ...chosenSince(values.option(filterBlocks.since), current),
    sort: sorts.find((known) => known === sort) ?? defaultSearch.sort,
    words: splitWords(values.text(filterBlocks.words) ?? '')
      .map(normalizeText)
      .filter(Boolean),
  };
  const checked = alertSearchSchema.safeParse(read);
  if (checked.success) return { search: checked.data };
  const isLongWord = read.words.some(({ length }) => length > maxValueLength);
  const error = `At most ${maxValueLength} characters for each word.`;
  return {
    errors: isLongWord ? { [filterBlocks.words]: error } : filterTooLong,
    rejected: read,
  };
}

/**
 * Which alerts a search finds, whenever and in whichever order: status, time and order are dropped.
 * Names are sorted, so that the same filter is recognized in any order.
 */
export function withoutListOptions({ severities, types, policy, words }: AlertSearch): AlertSearch {
  return {
    ...defaultSearch,
    severities: severities?.toSorted(),
    types: types?.toSorted(),
    policy,
    words,
  };
}

/** Nothing chosen means no filter, as in a typed search without the key. */
function chosenNames(chosen: string[]): string[] | undefined {
  return chosen.length > 0 ? chosen : undefined;
}

function chosenSince(
  chosen: string | undefined,
  { since, timeZone }: AlertSearch,
): Pick<AlertSearch, 'since' | 'timeZone'> {
  if (chosen === currentSince) return { since, timeZone };
  return { since: chosen !== undefined && isSince(chosen) ? chosen : undefined };
}
