import { code, moment, safe } from '../../../slack/ui/mrkdwn.ts';
import { quotedWhereNeeded } from '../../../slack/ui/typed-filter.ts';
import { resolveSince } from '../../../slack/ui/typed-since.ts';
import { type AlertSearch, defaultSearch } from '../alert-search.ts';
import { inWords } from './format-alert.ts';

/** The search as it can be typed again; empty for the usual one. */
export function formatSearch(search: AlertSearch): string {
  const { severities, status, types, policy, since, sort, words } = search;
  const parts = [
    severities && `severity:${severities.join(',')}`,
    status !== defaultSearch.status && `status:${status}`,
    types && `type:${types.join(',')}`,
    policy && `policy:${quotedWhereNeeded(policy)}`,
    since && `since:${since}`,
    sort !== defaultSearch.sort && `sort:${sort}`,
    wordsText(words),
  ];
  return parts.filter(Boolean).join(' ');
}

export function wordsText(words: readonly string[]): string {
  return words.map(quotedWhereNeeded).join(' ');
}

/** What narrows the search, in mrkdwn for people; status and order stand in the title of a list. */
export function describeSearch(search: AlertSearch, now: Date): string {
  const { severities, types, policy, since, timeZone, words } = search;
  const parts = [
    severities && `severity ${oneOf(severities)}`,
    types && `type ${oneOf(types)}`,
    policy && `policy with “${safe(policy, 100)}” in its name`,
    since && `updated since ${moment(resolveSince(since, now, timeZone))}`,
    words.length > 0 && `with ${words.map((word) => `“${safe(word, 100)}”`).join(' and ')}`,
  ];
  return parts.filter(Boolean).join(' · ');
}

/** The same as `/belay alerts` takes it; undefined for the usual search. */
export function searchAsCommand(search: AlertSearch): string | undefined {
  const text = formatSearch(search);
  return text ? code(`/belay alerts ${text}`, 2000) : undefined;
}

function oneOf(names: readonly string[]): string {
  return names.map((name) => safe(inWords(name), 100)).join(' or ');
}

export const statusWords: Record<AlertSearch['status'], string> = {
  active: 'Active alerts',
  cleared: 'Cleared alerts',
  all: 'Active and cleared alerts',
};

export const sortWords: Record<AlertSearch['sort'], string> = {
  '-updated': 'newest first',
  updated: 'longest without an update first',
  '-raised': 'last raised first',
  raised: 'first raised first',
  '-severity': 'worst first',
  severity: 'least severe first',
};
