import { plainOf } from '../../slack/mrkdwn.ts';
import {
  type AlertSearch,
  type KnownValues,
  parseAlertSearch,
  usualSearch,
} from '../alerts/alerts.ts';

/** Typed alone: no filter at all. */
const everything = 'all';

/**
 * The filter of a watch, as a person types it; what is wrong with it comes as mrkdwn. A watch shows
 * what is new, whatever becomes of it, in the order in which it comes.
 */
export function parseWatchFilter(
  text: string,
  now: Date,
  known: KnownValues,
): { search: AlertSearch } | { problem: string } {
  const typed = text.trim();
  if (typed === '' || typed.toLowerCase() === everything) return { search: usualSearch };
  const parsed = parseAlertSearch(typed, now, known);
  if ('problem' in parsed) return parsed;
  const { search } = parsed;
  if (search.status !== usualSearch.status) return { problem: without('status') };
  if (search.since !== undefined) return { problem: without('since') };
  if (search.sort !== usualSearch.sort) return { problem: without('sort') };
  const { severities, types } = search;
  // In whatever order they were typed, it is the same watch.
  return { search: { ...search, severities: severities?.toSorted(), types: types?.toSorted() } };
}

function without(key: 'status' | 'since' | 'sort'): string {
  const why = {
    status: 'shows new alerts and then what becomes of them',
    since: 'shows what is new from now on',
    sort: 'shows alerts as they come',
  }[key];
  return `A watch ${why}, so \`${key}:\` has no place in its filter. Please leave it out. For a list there is \`/belay alerts\`.`;
}

/** The same for a form: what is wrong, as plain text. */
export function checkWatchFilter(text: string, now: Date, known: KnownValues): string | undefined {
  const parsed = parseWatchFilter(text, now, known);
  return 'problem' in parsed ? plainOf(parsed.problem) : undefined;
}
