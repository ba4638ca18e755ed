import { stripMarkup } from '../../slack/ui/mrkdwn.ts';
import { parseTypedFilter } from '../../slack/ui/typed-filter.ts';
import {
  type AlertValues,
  defaultSearch,
  type ParsedSearch,
  parseAlertSearch,
  searchKeys,
} from '../alerts/index.ts';

/** Typed alone: no filter at all. */
const everything = 'all';

/**
 * Parses the filter of a watch as a person types it; a problem is mrkdwn. A watch posts alerts as they
 * are raised, so filters by status, time and order are refused.
 */
export function parseWatchFilter(text: string, now: Date, known: AlertValues): ParsedSearch {
  const typed = text.trim();
  if (typed === '' || typed.toLowerCase() === everything) return { search: defaultSearch };
  const refused = refusedKeysIn(typed);
  if (refused.length > 0) return { problem: refused.map(formatRefusal).join('\n') };
  const parsed = parseAlertSearch(typed, now, known);
  if ('problem' in parsed) return parsed;
  const { search } = parsed;
  const { severities, types } = search;
  // Sorted, so that the same filter typed in another order is found to be a duplicate.
  return { search: { ...search, severities: severities?.toSorted(), types: types?.toSorted() } };
}

const refusedKeys = ['status', 'since', 'sort'] as const;

/** Checked before their values, because help with the spelling of a value would mislead. */
function refusedKeysIn(text: string): (typeof refusedKeys)[number][] {
  const typed = parseTypedFilter(text, searchKeys, { hasWords: true });
  if ('problem' in typed) return [];
  const { values } = typed;
  return refusedKeys.filter(
    (key) => values[key] !== undefined && values[key].toLowerCase() !== defaultSearch[key],
  );
}

function formatRefusal(key: (typeof refusedKeys)[number]): string {
  const why = {
    status: 'shows new alerts and then what becomes of them',
    since: 'shows what is new from now on',
    sort: 'shows alerts as they come',
  }[key];
  return `A watch ${why}, so \`${key}:\` has no place in its filter. Please leave it out. For a list there is \`/belay alerts\`.`;
}

/**
 * Validates the field of a modal: the problem as plain text, if there is one. With `lacksValues`, values
 * that are not among the known ones pass, because they may be known all the same.
 */
export function checkWatchFilter(
  text: string,
  now: Date,
  known: AlertValues,
  { lacksValues = false }: { lacksValues?: boolean | undefined } = {},
): string | undefined {
  const parsed = parseWatchFilter(text, now, known);
  if (!('problem' in parsed) || (lacksValues && parsed.unlisted)) return undefined;
  return stripMarkup(parsed.problem);
}
