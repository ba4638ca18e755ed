import type { OriginRef } from '../../../database/connection-origin.ts';
import type { Database } from '../../../database/tables.ts';
import {
  type CompletedRequest,
  listCompletedRequests,
} from '../../../requests/store/find-changing-requests.ts';
import {
  comparePolicies,
  createPayload,
  policyActions,
  replacePayload,
} from '../../policies/index.ts';
import type { RecordedChange } from '../recorded-change.ts';
import { createExternalChangeStore, type Period } from './external-changes.ts';
import { readPolicyHealth } from './observation-health.ts';

/** The actions whose requests change policies. */
export const changingActions = Object.keys(policyActions);

/** How many changes a list has at most. */
const maxListed = 1000;

export type PolicyChanges = ReturnType<typeof createPolicyChanges>;

/** The changes to the policies of a connection, by Belay and by others. */
export function createPolicyChanges(db: Database) {
  const byOthers = createExternalChangeStore(db);
  return {
    /** The changes in the period, newest first. `isComplete` is false if there are others. */
    async list(period: Period): Promise<{ changes: RecordedChange[]; isComplete: boolean }> {
      const limit = maxListed + 1;
      const [found, requests] = await Promise.all([
        byOthers.list(period, { limit }),
        listCompletedRequests(db, { ...period, actions: changingActions, limit }),
      ]);
      const changes = [...found, ...requests.flatMap(changeOf)].toSorted(
        (one, other) => +other.at - +one.at,
      );
      return { changes: changes.slice(0, maxListed), isComplete: changes.length <= maxListed };
    },

    /** Those that others made to one policy, newest first. */
    listExternal: byOthers.listOfPolicy,

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
