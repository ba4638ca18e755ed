import type { Selectable, Transaction } from 'kysely';
import { z } from 'zod';
import { batchesOf } from '../../../database/batches.ts';
import { storable } from '../../../database/canonical-text.ts';
import { connectionIdsOf, type OriginRef } from '../../../database/connection-origin.ts';
import type { Database, Tables } from '../../../database/tables.ts';
import { subDays } from '../../../dates.ts';
import {
  type CompletedRequest,
  listCompletedRequests,
} from '../../../requests/store/find-changing-requests.ts';
import { sampleRetentionDays } from '../../compliance/index.ts';
import {
  comparePolicies,
  createPayload,
  type PolicyChange,
  policyActions,
  replacePayload,
} from '../../policies/index.ts';
import type { ExternalChange } from '../find-changes.ts';
import type { RecordedChange } from '../recorded-change.ts';
import { readPolicyHealth } from './observation-health.ts';
import type { PolicyChangeTable } from './tables.ts';

/** The actions whose requests change policies. */
export const changingActions = Object.keys(policyActions);

/** How many changes a list has at most. */
const maxListed = 1000;

/** On a connection, after `after`, until `until`. */
type Period = OriginRef & { after: Date; until: Date };

export type PolicyChanges = ReturnType<typeof createPolicyChanges>;

/** The changes to the policies of a connection, by Belay and by others. */
export function createPolicyChanges(db: Database) {
  /** Those that others made, as they were found. */
  const selectExternal = (of: OriginRef, limit: number) =>
    db
      .selectFrom('policy_change')
      .selectAll()
      .where('team_id', '=', of.teamId)
      .where('connection_id', 'in', connectionIdsOf(of))
      .orderBy('found_at', 'desc')
      .orderBy('policy_id')
      .limit(limit);

  return {
    /** The changes in the period, newest first. `isComplete` is false if there are others. */
    async list(period: Period): Promise<{ changes: RecordedChange[]; isComplete: boolean }> {
      const { after, until } = period;
      const limit = maxListed + 1;
      const [rows, requests] = await Promise.all([
        selectExternal(period, limit)
          .where('found_at', '>', after)
          .where('found_at', '<=', until)
          .execute(),
        listCompletedRequests(db, { ...period, actions: changingActions, limit }),
      ]);
      const changes = [...rows.map(toRecorded), ...requests.flatMap(changeOf)].toSorted(
        (one, other) => +other.at - +one.at,
      );
      return { changes: changes.slice(0, maxListed), isComplete: changes.length <= maxListed };
    },

    /** Those that others made to one policy, newest first. */
    async listExternal({
      policyId,
      limit,
      ...of
    }: OriginRef & { policyId: string; limit: number }): Promise<RecordedChange[]> {
      const rows = await selectExternal(of, limit).where('policy_id', '=', policyId).execute();
      return rows.map(toRecorded);
    },

    readHealth: (of: OriginRef) => readPolicyHealth(db, of),
  };
}

/** The change that a request has made; none if another version of Belay stored its payload. */
function changeOf(request: CompletedRequest): RecordedChange[] {
  const { subjectId, payload, finishedAt, madeBy } = request;
  const made = { at: finishedAt, madeBy };
  const replaced = replacePayload.safeParse(payload).data;
  if (replaced) {
    const { policyId, before, after } = replaced;
    const changes = comparePolicies(before, after);
    return [{ policyId, name: after.name, kind: 'changed', changes, ...made }];
  }
  const created = createPayload.safeParse(payload).data;
  if (!created) return [];
  const changes = comparePolicies(undefined, created.after);
  const { name } = created.after;
  return [{ policyId: subjectId ?? name, name, kind: 'created', changes, ...made }];
}

/**
 * Stores changes made outside Belay in the transaction that queues their messages, and deletes old ones.
 * They have the retention of compliance samples.
 */
export async function storeChanges(
  trx: Transaction<Tables>,
  { teamId, connectionId }: { teamId: string; connectionId: string },
  changes: ExternalChange[],
  at: Date,
): Promise<void> {
  for (const batch of batchesOf(changes)) {
    const rows = batch.map((change) => ({
      team_id: teamId,
      connection_id: connectionId,
      policy_id: change.policyId,
      policy_name: storable(change.name),
      kind: change.kind,
      found_at: at,
      changes: JSON.stringify(change.changes),
    }));
    await trx.insertInto('policy_change').values(rows).execute();
  }
  await trx
    .deleteFrom('policy_change')
    .where('team_id', '=', teamId)
    .where('found_at', '<', subDays(at, sampleRetentionDays))
    .execute();
}

const changesColumn: z.ZodType<PolicyChange[]> = z.array(
  z
    .object({
      place: z.string(),
      label: z.string(),
      before: z.string().optional(),
      after: z.string().optional(),
      weight: z.enum(['weaker', 'neutral', 'stronger']),
    })
    .transform(({ before, after, ...rest }) => ({ ...rest, before, after })),
);

function toRecorded(row: Selectable<PolicyChangeTable>): RecordedChange {
  return {
    policyId: row.policy_id,
    name: row.policy_name,
    kind: row.kind,
    changes: changesColumn.parse(row.changes),
    at: row.found_at,
    madeBy: undefined,
  };
}
