import type { Approval } from './approval.ts';

/** The queues for state changes and for messages. Waiting jobs store these names: never change them. */
export const advanceQueue = 'approvals.advance';
export const publishQueue = 'approvals.publish';

type ApprovalJob = { queue: string; data: { teamId: string; id: string }; afterMs: number };

/**
 * The jobs for a request's new state: its messages now, the next change when it is due. A new request
 * has none before it is posted; then come the direct messages to its approvers. One that belongs to a
 * bulk request has no messages of its own.
 */
export function jobsFor(approval: Approval, now: Date): ApprovalJob[] {
  const { teamId, id, version, messageTs, wakeAt, parentId } = approval;
  const data = { teamId, id };
  return [
    ...(parentId === undefined && (version > 0 || messageTs)
      ? [{ queue: publishQueue, data, afterMs: 0 }]
      : []),
    ...(wakeAt ? [{ queue: advanceQueue, data, afterMs: wakeAt.getTime() - now.getTime() }] : []),
  ];
}
