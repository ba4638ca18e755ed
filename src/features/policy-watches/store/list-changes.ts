import type { Database } from '../../../database/open-database.ts';
import { type CompletedRequest, listCompletedRequests } from '../../approvals/index.ts';
import {
  comparePolicies,
  createPayload,
  policyActions,
  replacePayload,
} from '../../policies/index.ts';
import type { RecordedChange } from '../recorded-change.ts';
import { createPolicyChangeStore } from './policy-changes.ts';

/** The actions whose requests change policies. */
export const changingActions = Object.keys(policyActions);

/** The changes to policies after `after`, until `until`, by Belay and by others, newest first. */
export type ListChanges = (period: {
  teamId: string;
  after: Date;
  until: Date;
  limit: number;
}) => Promise<RecordedChange[]>;

export function createListChanges(db: Database): ListChanges {
  const { list } = createPolicyChangeStore(db);
  return async (period) => {
    const [byOthers, requests] = await Promise.all([
      list(period),
      listCompletedRequests(db, { ...period, actions: changingActions }),
    ]);
    return [...byOthers, ...requests.flatMap(changeOf)]
      .toSorted((one, other) => +other.at - +one.at)
      .slice(0, period.limit);
  };
}

/** The change that a request has made; none if another version of Belay stored its payload. */
function changeOf(request: CompletedRequest): RecordedChange[] {
  const { subjectId, payload, finishedAt } = request;
  const made = { at: finishedAt, madeBy: 'Belay' as const };
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
