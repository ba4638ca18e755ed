import type { Approval } from './approval.ts';
import { advanceQueue, publishQueue } from './views/ids.ts';

export type FollowUpJob = { queue: string; data: { teamId: string; id: string }; afterMs: number };

/** The jobs that follow from a request's new state: its messages now, the next look when it is due. */
export function jobsFor(approval: Approval, now: Date): FollowUpJob[] {
  const { teamId, id, version, wakeAt } = approval;
  const data = { teamId, id };
  return [
    ...(version > 0 ? [{ queue: publishQueue, data, afterMs: 0 }] : []),
    ...(wakeAt ? [{ queue: advanceQueue, data, afterMs: wakeAt.getTime() - now.getTime() }] : []),
  ];
}
