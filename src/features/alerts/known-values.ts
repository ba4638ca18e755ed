import type { Alert } from '../../dataprotection/resources/alerts.ts';

/** Severities and types by the service's own names, the usual ones first. */
export type KnownValues = { severities: readonly string[]; types: readonly string[] };

export const defaultValues: KnownValues = {
  severities: ['error', 'warning'],
  types: [
    'policy_violated',
    'restore_failed',
    'file_restore_failed',
    'tag_conflict',
    'aws_account_disconnected',
    'enc_key_inaccessible',
  ],
};

/** Both sets are open: what a service was seen to say becomes a choice too. */
export type SeenValues = {
  note: (teamId: string, alerts: readonly Alert[]) => void;
  of: (teamId: string) => KnownValues;
};

/** A filter that names a value keeps it, whether or not it was seen since. */
export function withNamesOf(
  { severities, types }: KnownValues,
  search: { severities?: string[] | undefined; types?: string[] | undefined },
): KnownValues {
  return {
    severities: [...new Set([...severities, ...(search.severities ?? [])])],
    types: [...new Set([...types, ...(search.types ?? [])])],
  };
}

/** Keeps menus below Slack's hundred options and a pair of names within the value of one. */
const maxSeen = 40;
const speakable = /^[\w.-]{1,30}$/;

/** Remembers until the process ends, which costs nothing: every list that is shown teaches again. */
export function createSeenValues(): SeenValues {
  const seen = new Map<string, { severities: Set<string>; types: Set<string> }>();
  return {
    note(teamId, alerts) {
      const known = seen.get(teamId) ?? {
        severities: new Set(defaultValues.severities),
        types: new Set(defaultValues.types),
      };
      seen.set(teamId, known);
      for (const { severity, type } of alerts) {
        addName(known.severities, severity);
        addName(known.types, type);
      }
    },
    of(teamId) {
      const known = seen.get(teamId);
      return known ? { severities: [...known.severities], types: [...known.types] } : defaultValues;
    },
  };
}

function addName(names: Set<string>, name: string | undefined): void {
  if (name !== undefined && names.size < maxSeen && speakable.test(name)) names.add(name);
}
