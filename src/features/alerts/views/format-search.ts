import { code, moment, quoteInline, safe } from '../../../slack/ui/mrkdwn.ts';
import { quoteIfNeeded } from '../../../slack/ui/typed-filter.ts';
import { type AlertSearch, defaultSearch, lastLook, searchKeys, sinceOf } from '../alert-search.ts';
import { builtInValues } from '../known-values.ts';
import { hasMeaning } from '../read-words.ts';
import { humanize } from './format-alert.ts';

/** The search as it can be typed again; empty for the default one. */
export function formatSearch(search: AlertSearch): string {
  const { severities, status, types, policy, since, sort, words } = search;
  const parts = [
    severities && `severity:${severities.join(',')}`,
    status !== defaultSearch.status && `status:${status}`,
    types && `type:${types.join(',')}`,
    policy && `policy:${quoteIfNeeded(policy)}`,
    since && `since:${since}`,
    sort !== defaultSearch.sort && `sort:${sort}`,
    formatWords(words),
  ];
  return parts.filter(Boolean).join(' ');
}

/** In quotation marks where the word would be read as a filter. */
export function formatWords(words: readonly string[]): string {
  return words
    .map((word) =>
      hasMeaning(word, builtInValues, searchKeys) ? `"${word}"` : quoteIfNeeded(word),
    )
    .join(' ');
}

/**
 * The filters in mrkdwn: `error or warning, policy “Gold”, “vm-12”, updated since …`. Status and order
 * are left out, because the title of a list names them.
 */
export function describeSearch(search: AlertSearch, now: Date): string {
  return [describeFilter(search), describeTime(search, now)].filter(Boolean).join(', ');
}

function describeTime(search: AlertSearch, now: Date): string | undefined {
  const at = sinceOf(search, now);
  if (!at) return undefined;
  if (search.since !== lastLook) return `updated since ${moment(at)}`;
  return search.lookedAt === undefined
    ? "updated in the last day, because you haven't looked at a list before"
    : `updated since you last looked, ${moment(at)}`;
}

/** The same without the time. */
export function describeFilter({ severities, types, policy, words }: AlertSearch): string {
  const parts = [
    severities && joinNames(severities),
    types && joinNames(types),
    policy && `policy ${quoteInline(policy, 100)}`,
    ...words.map((word) => quoteInline(word, 100)),
  ];
  return parts.filter(Boolean).join(', ');
}

/**
 * The command that repeats the search; undefined for the default search. All words are in quotation marks,
 * because `/belay alerts schedule` is another command.
 */
export function formatCommand(search: AlertSearch): string | undefined {
  const words = search.words.map((word) => `"${word}"`);
  const text = [formatSearch({ ...search, words: [] }), ...words].filter(Boolean).join(' ');
  return text ? code(`/belay alerts ${text}`, 2000) : undefined;
}

function joinNames(names: readonly string[]): string {
  return names.map((name) => safe(humanize(name), 100)).join(' or ');
}

export const statusLabels: Record<AlertSearch['status'], string> = {
  active: 'Active alerts',
  cleared: 'Cleared alerts',
  all: 'Active and cleared alerts',
};

export const sortLabels: Record<AlertSearch['sort'], string> = {
  '-updated': 'newest first',
  updated: 'oldest update first',
  '-raised': 'most recently raised first',
  raised: 'earliest raised first',
  '-severity': 'most severe first',
  severity: 'least severe first',
};
