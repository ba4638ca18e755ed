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
