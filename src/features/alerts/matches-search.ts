import {
  type AlertFilter,
  matchesAlertFilter,
} from '../../dataprotection/resources/alert-filter.ts';
import type { Alert } from '../../dataprotection/resources/alerts.ts';
import { resolveSince } from '../../slack/ui/typed-since.ts';
import type { AlertSearch } from './alert-search.ts';
import { mentionsWord } from './mentions-word.ts';

/** The part of a search that the service is asked for, where it can filter. */
export function serviceFilterOf(search: AlertSearch, now: Date): AlertFilter {
  const { status, severities, types, since, timeZone } = search;
  return {
    isCleared: status === 'all' ? undefined : status === 'cleared',
    severities,
    types,
    updatedSince: since === undefined ? undefined : resolveSince(since, now, timeZone),
  };
}

/** Whether an alert is meant, whichever part of it the service has looked at already. */
export function matchesAlertSearch(alert: Alert, search: AlertSearch, now: Date): boolean {
  return (
    matchesAlertFilter(alert, serviceFilterOf(search, now)) &&
    (search.policy === undefined || isOfPolicy(alert, search.policy)) &&
    search.words.every((word) => mentionsWord(alert, word))
  );
}

/**
 * No field is called the policy of an alert. What an alert concerns tells it, usually the parent; so
 * does a tag of that type, or a variable with "policy" in its name, which is all that some causes have.
 */
function isOfPolicy(alert: Alert, wanted: string): boolean {
  const { primaryEntity, parentEntity, tags = [], details } = alert;
  const entities = [parentEntity, primaryEntity, ...tags]
    .filter((entity) => isPolicy(entity?.type))
    .flatMap((entity) => [entity?.value, entity?.id]);
  const variables = Object.entries(details?.variables ?? {})
    .filter(([name]) => isPolicy(name))
    .map(([, value]) => value);
  const part = wanted.toLowerCase();
  return [...entities, ...variables].some((name) => name?.toLowerCase().includes(part));
}

function isPolicy(name: string | undefined): boolean {
  return /policy/i.test(name ?? '');
}
