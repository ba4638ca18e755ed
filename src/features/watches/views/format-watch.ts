import { type AlertSearch, describeSearch } from '../../alerts/index.ts';

/** What a watch shows, as mrkdwn for people. */
export function watchWords(search: AlertSearch, now: Date): string {
  return `${nounOf(search, now)}${detailOf(search, now)}`;
}

/** The same where a line begins. */
export function capitalizedWatchWords(search: AlertSearch, now: Date): string {
  const words = watchWords(search, now);
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

function nounOf(search: AlertSearch, now: Date): string {
  return describeSearch(search, now) ? 'new alerts' : 'all new alerts';
}

function detailOf(search: AlertSearch, now: Date): string {
  const words = describeSearch(search, now);
  return words && ` (${words})`;
}
