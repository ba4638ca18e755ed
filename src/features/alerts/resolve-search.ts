import type { ServiceClient } from '../../dataprotection/client.ts';
import { ServiceTimeoutError } from '../../dataprotection/http/errors.ts';
import type { AlertFilter } from '../../dataprotection/resources/alert-filter.ts';
import { type Alert, listNewestAlerts } from '../../dataprotection/resources/alerts.ts';
import type { CommandInteraction } from '../../slack/interactions/interaction.ts';
import type { ParsedSearch, SavedFilter } from './alert-search.ts';
import { type AlertValues, type KnownValues, usableValues, withValuesOf } from './known-values.ts';
import type { SavedFilters } from './store/saved-filters.ts';

/** How long a person waits for the lookup of a value. */
const lookupMs = 4000;

/** Where names in a typed filter are looked up. */
export type SearchNames = {
  knownValues: Pick<KnownValues, 'read'>;
  savedFilters: Pick<SavedFilters, 'list'>;
};

type NamesIn = Pick<CommandInteraction, 'teamId' | 'person' | 'channelId' | 'text'>;

type Parse = (known: AlertValues, saved: SavedFilter[]) => ParsedSearch;

/** Parses a typed filter, in which the saved filters of the person and the channel can be named. */
export async function parseWithSaved(
  call: NamesIn,
  parse: Parse,
  { knownValues, savedFilters }: SearchNames,
): Promise<ParsedSearch> {
  return parse(knownValues.read(call.teamId), await listSaved(call, savedFilters));
}

function listSaved(
  { teamId, person, channelId, text }: NamesIn,
  savedFilters: SearchNames['savedFilters'],
): Promise<SavedFilter[]> {
  const owners = text.trim() === '' ? [] : [person.slackUserId, channelId];
  return savedFilters.list(teamId, owners);
}

/**
 * As `parseWithSaved`. A severity or type that is not known, and no typo of a known one, is looked up in the
 * service, and accepted if an alert has it.
 * @throws {ServiceError} if the service can't be asked.
 */
export async function resolveSearch(
  call: NamesIn & Pick<CommandInteraction, 'service'>,
  parse: Parse,
  { knownValues, savedFilters }: SearchNames,
): Promise<ParsedSearch> {
  const known = knownValues.read(call.teamId);
  const saved = await listSaved(call, savedFilters);
  const parsed = parse(known, saved);
  if ('search' in parsed || !parsed.unlisted) return parsed;
  const { client } = await call.service();
  const found = await findAlertsWith(parsed.unlisted, client);
  if (found.length === 0) return parsed;
  const severities = usableValues(found.map(({ severity }) => severity));
  const types = usableValues(found.map(({ type }) => type));
  return parse(withValuesOf(known, { severities, types }), saved);
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
