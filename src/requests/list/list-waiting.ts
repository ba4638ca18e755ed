import { parseEach } from '../../database/parse-rows.ts';
import type { Person } from '../../slack/api/person.ts';
import type { SubjectMatch } from '../action.ts';
import type { BindAction } from '../define-action.ts';
import type { RequestContext } from '../request-context.ts';
import { type ApprovalRow, toApproval } from '../store/approval-row.ts';
import type { LostBySetup } from './list-store.ts';

/** `summary` is mrkdwn: "disable *Kim Lee*". */
export type WaitingRequest = {
  id: string;
  summary: string;
  requester: string;
  action: string;
  isSubject: (person: Person) => SubjectMatch;
};

const pageSize = 200;

/** The waiting requests that a save of the setup voids, in the order in which they were made. */
export async function listWaiting(
  teamId: string,
  lost: LostBySetup,
  { store, bind }: RequestContext,
): Promise<WaitingRequest[]> {
  const found: { request: WaitingRequest; at: Date }[] = [];
  let after: string | undefined;
  do {
    const page = await store.listLost({ teamId, ...lost }, { after, limit: pageSize });
    for (const row of page) found.push({ request: describe(row, bind), at: row.requested_at });
    after = page.length < pageSize ? undefined : page.at(-1)?.id;
  } while (after !== undefined);
  return found.toSorted((one, other) => +one.at - +other.at).map(({ request }) => request);
}

function describe(row: ApprovalRow, bind: BindAction): WaitingRequest {
  const { id, requester, action } = row;
  const [bound] = parseEach([row], () => bind(toApproval(row))).parsed;
  // It may be about anybody.
  if (!bound) return { id, requester, action, summary: unreadable, isSubject: () => 'unknown' };
  return { id, requester, action, summary: bound.summary, isSubject: bound.isSubject };
}

const unreadable = "something that Belay can't read";
