import type { ServiceClient } from '../../dataprotection/client.ts';
import { ServiceTimeoutError } from '../../dataprotection/http/errors.ts';
import type { AlertFilter } from '../../dataprotection/resources/alert-filter.ts';
import { type Alert, listNewestAlerts } from '../../dataprotection/resources/alerts.ts';
import type { Interaction } from '../../slack/listeners/interaction.ts';
import type { ParsedSearch } from './alert-search.ts';
import { type AlertValues, isUsableValue, withValuesOf } from './known-values.ts';
import type { KnownValueStore } from './store/known-value-store.ts';

export type ResolveDependencies = {
  knownValues: KnownValueStore;
  openService: (
    teamId: string,
    which: Interaction['connection'],
  ) => Promise<{ client: ServiceClient } | undefined>;
  clock: () => Date;
};

/** How long a person waits for the lookup of a value. */
const lookupMs = 4000;

/**
 * Parses a typed filter with the values that the team's filters accept. A severity or type that is not
 * among them, and no typo of one, is looked up in the service: if an alert has it, it is added for
 * every replica and accepted.
 * @throws {ServiceError} if the service can't be asked.
 */
export async function resolveSearch(
  { teamId, connection }: Pick<Interaction, 'teamId' | 'connection'>,
  parse: (known: AlertValues) => ParsedSearch,
  { knownValues, openService, clock }: ResolveDependencies,
): Promise<ParsedSearch> {
  const parsed = parse(await knownValues.read(teamId));
  if ('search' in parsed || !parsed.unlisted) return parsed;
  const service = await openService(teamId, connection);
  if (!service) return parsed;
  const found = await findAlertsWith(parsed.unlisted, service.client);
  if (found.length === 0) return parsed;
  await knownValues.add(teamId, found, clock());
  // When no more can be stored, the service is asked again the next time, by every replica.
  const values = {
    severities: found.flatMap(({ severity = '' }) => (isUsableValue(severity) ? severity : [])),
    types: found.flatMap(({ type = '' }) => (isUsableValue(type) ? type : [])),
  };
  return parse(withValuesOf(await knownValues.read(teamId), values));
}

/** One alert for each value that an alert of the service has. */
async function findAlertsWith(
  { severities, types }: AlertValues,
  client: ServiceClient,
): Promise<Alert[]> {
  const signal = AbortSignal.timeout(lookupMs);
  const filters = [
    ...severities.map((name) => ({ severities: spellingsOf(name) })),
    ...types.map((name) => ({ types: spellingsOf(name) })),
  ];
  const found: Alert[] = [];
  for (const filter of filters) {
    const alert = await findFirst(filter, client, signal);
    if (alert) found.push(alert);
  }
  return found;
}

/** Identifiers of the service are lower-case, but people type them either way. */
function spellingsOf(name: string): string[] {
  return [...new Set([name, name.toLowerCase()])];
}

async function findFirst(
  filter: AlertFilter,
  client: ServiceClient,
  signal: AbortSignal,
): Promise<Alert | undefined> {
  try {
    for await (const { items } of listNewestAlerts(client, { filter, signal })) {
      if (items[0]) return items[0];
    }
    return undefined;
  } catch (error) {
    // A list too long to search: the value stays unknown until a list of alerts has shown it.
    if (signal.aborted && error instanceof ServiceTimeoutError) return undefined;
    throw error;
  }
}
