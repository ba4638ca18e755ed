import type { Kysely } from 'kysely';
import type { Alert } from '../../../dataprotection/resources/alerts.ts';
import { type AlertValues, builtInValues, isUsableValue, withValuesOf } from '../known-values.ts';
import type { AlertTables } from './tables.ts';

export type KnownValueStore = ReturnType<typeof createKnownValueStore>;

/** Per team and kind, so that menus stay below Slack's limit of 100 options. */
const maxAdded = 40;

/**
 * The severities and types that a team's filters accept. They are in the database, not in the
 * process, so that every replica accepts the same filters, before and after a restart.
 */
export function createKnownValueStore(db: Kysely<AlertTables>) {
  async function readAdded(teamId: string): Promise<{ severities: string[]; types: string[] }> {
    const rows = await db
      .selectFrom('alert_value')
      .select(['kind', 'value'])
      .where('team_id', '=', teamId)
      .orderBy('added_at')
      .orderBy('value')
      .execute();
    const added = (kind: 'severity' | 'type') =>
      rows.flatMap((row) => (row.kind === kind ? row.value : [])).slice(0, maxAdded);
    return { severities: added('severity'), types: added('type') };
  }

  return {
    /** The documented values, then those that were added, oldest first. */
    read: async (teamId: string): Promise<AlertValues> =>
      withValuesOf(builtInValues, await readAdded(teamId)),

    /** Adds the values of these alerts. Alerts with documented values only cost no query. */
    async add(teamId: string, alerts: readonly Alert[], at: Date): Promise<void> {
      const { severities, types } = builtInValues;
      const unlistedSeverities = unlisted(
        alerts.map(({ severity }) => severity),
        severities,
      );
      const unlistedTypes = unlisted(
        alerts.map(({ type }) => type),
        types,
      );
      if (unlistedSeverities.length + unlistedTypes.length === 0) return;
      const added = await readAdded(teamId);
      const rows = [
        ...newValueRows(unlistedSeverities, added.severities, 'severity'),
        ...newValueRows(unlistedTypes, added.types, 'type'),
      ];
      if (rows.length === 0) return;
      await db
        .insertInto('alert_value')
        .values(rows.map((row) => ({ ...row, team_id: teamId, added_at: at })))
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },
  };
}

function unlisted(values: (string | undefined)[], documented: readonly string[]): string[] {
  const found = values.flatMap((value) =>
    value !== undefined && isUsableValue(value) && !documented.includes(value) ? value : [],
  );
  return [...new Set(found)];
}

function newValueRows(values: string[], added: readonly string[], kind: 'severity' | 'type') {
  return values
    .filter((value) => !added.includes(value))
    .slice(0, maxAdded - added.length)
    .map((value) => ({ kind, value }));
}
