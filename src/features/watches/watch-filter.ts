import { stripMarkup } from '../../slack/ui/mrkdwn.ts';
import { parseTypedFilter } from '../../slack/ui/typed-filter.ts';
import {
  type AlertSearch,
  defaultSearch,
  type KnownValues,
  parseAlertSearch,
  searchKeys,
} from '../alerts/index.ts';

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
  if (typed === '' || typed.toLowerCase() === everything) return { search: defaultSearch };
  const unfit = unfitKeys(typed);
  if (unfit.length > 0) return { problem: unfit.map(without).join('\n') };
  const parsed = parseAlertSearch(typed, now, known);
  if ('problem' in parsed) return parsed;
  const { search } = parsed;
  const { severities, types } = search;
  // In whatever order they were typed, it is the same watch.
  return { search: { ...search, severities: severities?.toSorted(), types: types?.toSorted() } };
}

const notOfWatches = ['status', 'since', 'sort'] as const;

/** Looked for first: how a value of theirs is spelled would be no help to anybody. */
function unfitKeys(text: string): (typeof notOfWatches)[number][] {
  const typed = parseTypedFilter(text, searchKeys, { hasWords: true });
  if ('problem' in typed) return [];
  const { values } = typed;
  return notOfWatches.filter(
    (key) => values[key] !== undefined && values[key].toLowerCase() !== defaultSearch[key],
  );
}

function without(key: (typeof notOfWatches)[number]): string {
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
  return 'problem' in parsed ? stripMarkup(parsed.problem) : undefined;
}
