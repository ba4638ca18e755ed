import type { Transaction } from 'kysely';
import type { Tables } from '../../database/tables.ts';
import { stripMarkup } from '../../slack/ui/mrkdwn.ts';
import type { ApprovalRef } from '../approval.ts';
import { type ActionEntries, createActionBinder } from '../define-action.ts';
import { toApproval, withRuns } from './approval-row.ts';

/** A request in plain text: what it is for, and the Slack user id of its requester. */
export type DescribedRequest = { id: string; action: string; summary: string; requester: string };

/** Describes requests for an operator, with what the transaction has read and written so far. */
export async function describeRequests(
  trx: Transaction<Tables>,
  actions: ActionEntries,
  refs: ApprovalRef[],
): Promise<DescribedRequest[]> {
  if (refs.length === 0) return [];
  const bind = createActionBinder(actions);
  const rows = await trx
    .selectFrom('approval')
    .selectAll()
    .select(withRuns)
    .where('team_id', 'in', [...new Set(refs.map(({ teamId }) => teamId))])
    .where(
      'id',
      'in',
      refs.map(({ id }) => id),
    )
    .orderBy('requested_at')
    .orderBy('id')
    .execute();
  return rows.map((row) => {
    const approval = toApproval(row);
    const { id, action, requester } = approval;
    return { id, action, requester, summary: stripMarkup(bind(approval).summary) };
  });
}
