import {
  type AlertFilter,
  matchesAlertFilter,
} from '../../dataprotection/resources/alert-filter.ts';
import type { Alert } from '../../dataprotection/resources/alerts.ts';
import { subMinutes } from '../../dates.ts';
import { type AlertSearch, lastLook, sinceOf } from './alert-search.ts';
import { humanize, nameOf, problemOf, severityOf } from './views/format-alert.ts';

/** The part of a search that the service can filter by, in the dialect that filters. */
export function toServiceFilter(search: AlertSearch, now: Date): AlertFilter {
  const { status, severities, types } = search;
  return {
    isCleared: status === 'all' ? undefined : status === 'cleared',
    severities,
    types,
    updatedSince: updatedSinceOf(search, now),
  };
}

/** A service may list an alert late, or its clock be behind: what is new must not be missed. */
function updatedSinceOf(search: AlertSearch, now: Date): Date | undefined {
  const since = sinceOf(search, now);
  return since && search.since === lastLook ? subMinutes(since, 1) : since;
}

/**
 * Says whether an alert matches the whole search, including what the service has filtered already. Create
 * it once for all alerts of a search: resolving `since` in a time zone is slow.
 */
export function createAlertMatcher(search: AlertSearch, now: Date): (alert: Alert) => boolean {
  const filter = toServiceFilter(search, now);
  const policy = search.policy?.toLowerCase();
  const words = search.words.map((word) => word.toLowerCase());
  return (alert) =>
    matchesAlertFilter(alert, filter) &&
    (policy === undefined || isOfPolicy(alert, policy)) &&
    words.every((word) => mentionsWord(alert, word));
}

/**
 * Whether the name of the alert's policy contains `part`, in lower case. Alerts have no policy field.
 * The policy is usually the parent entity; for some causes it is only in a tag of that type, or in a
 * variable with "policy" in its name.
 */
function isOfPolicy(alert: Alert, part: string): boolean {
  const { primaryEntity, parentEntity, tags = [], details } = alert;
  const entities = [parentEntity, primaryEntity, ...tags]
    .filter((entity) => isPolicy(entity?.type))
    .flatMap((entity) => [entity?.value, entity?.id]);
  const variables = Object.entries(details?.variables ?? {})
    .filter(([name]) => isPolicy(name))
    .map(([, value]) => value);
  return [...entities, ...variables].some((name) => name?.toLowerCase().includes(part));
}

function isPolicy(name: string | undefined): boolean {
  return /policy/i.test(name ?? '');
}

/**
 * The policies that an alert names with their id: its parent entity, its entity or a tag. Alerts have
 * no field for the policy (§10 The live dialect).
 */
export function policiesOf({ parentEntity, primaryEntity, tags = [] }: Alert): {
  id: string;
  name: string | undefined;
}[] {
  return [parentEntity, primaryEntity, ...tags].flatMap((entity) =>
    entity?.type === 'policy' && entity.id ? [{ id: entity.id, name: entity.value }] : [],
  );
}

/** Whether a word, in lower case, occurs in what the list shows of an alert, or in its identifiers. */
function mentionsWord(alert: Alert, word: string): boolean {
  const { id, type, cause, severity, status, primaryEntity, parentEntity, details } = alert;
  const shown = [
    ...[severityOf(alert), problemOf(alert), status, nameOf(primaryEntity)],
    ...[primaryEntity, parentEntity].flatMap((entity) => [
      ...[entity?.value, entity?.id, entity?.type],
      entity?.type && humanize(entity.type),
    ]),
    ...[id, type, cause, severity, details?.type, details?.description],
  ];
  return shown.some((text) => text?.toLowerCase().includes(word));
}
