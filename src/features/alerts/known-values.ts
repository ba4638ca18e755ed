import type { Alert } from '../../dataprotection/resources/alerts.ts';

/** Severities and types of alerts, in the service's own spelling. */
export type AlertValues = { severities: readonly string[]; types: readonly string[] };

/**
 * Accepted from the start. Both sets are open (§4 Endpoints): a service may use values beyond these,
 * and uses `notice` today.
 */
export const builtInValues: AlertValues = {
  severities: ['error', 'warning', 'notice'],
  types: [
    'policy_violated',
    'restore_failed',
    'file_restore_failed',
    'tag_conflict',
    'aws_account_disconnected',
    'enc_key_inaccessible',
  ],
};

/** Whether a menu option and a typed filter can hold a value; any other stays unknown. */
export function isUsableValue(value: string): boolean {
  return /^[\w.-]{1,30}$/.test(value);
}

/** Adds the values that a search names already, so that an existing filter stays valid. */
export function withValuesOf(
  { severities, types }: AlertValues,
  search: { severities?: readonly string[] | undefined; types?: readonly string[] | undefined },
): AlertValues {
  return {
    severities: [...new Set([...severities, ...(search.severities ?? [])])],
    types: [...new Set([...types, ...(search.types ?? [])])],
  };
}

/** Per kind, so that menus stay below Slack's limit of 100 options. */
const maxSeen = 40;
const maxTeams = 10_000;

export type KnownValues = ReturnType<typeof createKnownValues>;

/**
 * The severities and types that a team's filters offer: the documented ones, and those of the list
 * that was read last. Each process has its own; a typed value that it doesn't know is looked up in
 * the service (`resolveSearch`).
 */
export function createKnownValues() {
  const seen = new Map<string, AlertValues>();
  return {
    read: (teamId: string) => withValuesOf(builtInValues, seen.get(teamId) ?? {}),

    seeList(teamId: string, alerts: readonly Pick<Alert, 'severity' | 'type'>[]): void {
      seen.delete(teamId);
      const [oldest] = seen.keys();
      if (seen.size >= maxTeams && oldest !== undefined) seen.delete(oldest);
      seen.set(teamId, {
        severities: usableValues(alerts.map(({ severity }) => severity)).slice(0, maxSeen),
        types: usableValues(alerts.map(({ type }) => type)).slice(0, maxSeen),
      });
    },
  };
}

export function usableValues(values: readonly (string | undefined)[]): string[] {
  return [...new Set(values.flatMap((value) => (value && isUsableValue(value) ? value : [])))];
}
