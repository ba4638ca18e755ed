import { splitWords } from '../../slack/ui/typed-filter.ts';
import { isSince } from '../../slack/ui/typed-since.ts';
import type { ViewValues } from '../../slack/ui/view-values.ts';
import {
  type AlertSearch,
  alertSearchSchema,
  defaultSearch,
  sorts,
  statuses,
  tidy,
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

/** So long that the words of any search fit. */
export const maxWordsLength = 2000;
export const maxPolicyLength = 100;

/** At any time. */
export const anyTime = '*';
/** What the search at hand says, where no choice of the menu says the same. */
export const asBefore = '=';

/** What a person chose, beginning with the search that the form was opened with, or faults by block. */
export function readFilterForm(
  values: ViewValues,
  before: AlertSearch,
): { search: AlertSearch } | { errors: Record<string, string> } {
  const [status, sort] = [values.option(filterBlocks.status), values.option(filterBlocks.sort)];
  const read = {
    severities: chosenNames(values.options(filterBlocks.severity)),
    status: statuses.find((one) => one === status) ?? defaultSearch.status,
    types: chosenNames(values.options(filterBlocks.type)),
    policy: tidy(values.text(filterBlocks.policy) ?? '') || undefined,
    ...chosenSince(values.option(filterBlocks.since), before),
    sort: sorts.find((one) => one === sort) ?? defaultSearch.sort,
    // A field of its own needs no keys.
    words: splitWords(values.text(filterBlocks.words) ?? '')
      .map(tidy)
      .filter(Boolean),
  };
  const checked = alertSearchSchema.safeParse(read);
  return checked.success
    ? { search: checked.data }
    : { errors: { [filterBlocks.words]: 'Please use fewer or shorter words.' } };
}

/** None chosen is no filter, as it is when none is typed. */
function chosenNames(chosen: string[]): string[] | undefined {
  return chosen.length > 0 ? chosen : undefined;
}

function chosenSince(
  chosen: string | undefined,
  { since, timeZone }: AlertSearch,
): Pick<AlertSearch, 'since' | 'timeZone'> {
  if (chosen === asBefore) return { since, timeZone };
  return { since: chosen !== undefined && isSince(chosen) ? chosen : undefined };
}
