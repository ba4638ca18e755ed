import { parseTypedFilter } from '../../slack/ui/typed-filter.ts';
import {
  type AlertValues,
  defaultSearch,
  type ParsedSearch,
  parseAlertSearch,
  searchKeys,
  withoutListOptions,
} from '../alerts/index.ts';

/** Typed alone: no filter at all. */
const everything = 'all';

/** Parses the filter of a watch as a person types it; a problem is mrkdwn. */
export function parseWatchFilter(text: string, now: Date, known: AlertValues): ParsedSearch {
  const typed = text.trim();
  if (typed === '' || typed.toLowerCase() === everything) return { search: defaultSearch };
  const refused = refusedKeysIn(typed);
  if (refused.length > 0) return { problem: refused.map(formatRefusal).join('\n') };
  const parsed = parseAlertSearch(typed, now, known);
  return 'problem' in parsed ? parsed : { search: withoutListOptions(parsed.search) };
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
    status: 'posts new alerts and updates them until they are cleared',
    since: 'posts new alerts only',
    sort: 'posts alerts in the order in which they are raised',
  }[key];
  return `Remove \`${key}:\`, because a watch ${why}. To list alerts, run \`/belay alerts\`.`;
}
