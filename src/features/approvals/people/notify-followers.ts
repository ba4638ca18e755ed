import type { Clock } from '../../../clock.ts';
import type { Action } from '../action.ts';
import type { ApprovalStore } from '../store/approval-store.ts';
import type { Follower } from '../store/following.ts';
import type { RenderingClaim } from '../store/publishing.ts';
import type { CopyKind } from '../store/tables.ts';
import type { CopyOutcome } from './copy-outcome.ts';
import { notifyFollower } from './follow-request.ts';
import { type ApproverDependencies, notifyApprover } from './notify-approver.ts';
import { findViewer } from './revoke-copy.ts';

type FollowersDependencies = Omit<ApproverDependencies, 'readViewer'> & {
  store: Pick<ApprovalStore, 'markFollowerNotified' | 'markFollowersUpToDate' | 'removeFollowers'>;
  clock: Clock;
  /** After this there is no time left to send a message under the claim. */
  sendBy: Date;
  /** The failure, logged; none for a message that can never be updated again. */
  attempt: (
    kind: CopyKind,
    notify: () => Promise<CopyOutcome>,
  ) => Promise<{ result: CopyOutcome; failure: Error | undefined }>;
  /** Retries a statement as long as the claim lasts. */
  record: (statement: () => Promise<void>) => Promise<void>;
};

/** Sends and updates the messages of followers and approvers. Not complete if there was no time for all. */
export async function notifyFollowers(
  approval: RenderingClaim,
  action: Action,
  followers: Follower[],
  { store, clock, sendBy, attempt, record, ...given }: FollowersDependencies,
): Promise<{ failure: Error | undefined; isComplete: boolean }> {
  let failure: Error | undefined;
  let isComplete = true;
  const upToDate: Follower[] = [];
  const revoked: Follower[] = [];
  for (const follower of followers) {
    if (clock() >= sendBy) {
      isComplete = false;
      break;
    }
    const { slackUserId, kind } = follower;
    const notify = kind === 'approver' ? notifyApprover : notifyFollower;
    const readViewer = () => findViewer(approval, slackUserId, given);
    const { result, failure: failed } = await attempt(kind, () =>
      notify(approval, action, follower, { ...given, readViewer }),
    );
    failure ??= failed;
    if (failed) continue;
    if (result === 'not-claimed') isComplete = false;
    else if (result === 'revoked') revoked.push(follower);
    else if (result === undefined) upToDate.push(follower);
    // Immediately, because a message that isn't recorded must be searched for.
    else await record(() => store.markFollowerNotified(approval, { ...follower, direct: result }));
  }
  if (upToDate.length > 0) await record(() => store.markFollowersUpToDate(approval, upToDate));
  // People who lost the right to see the request get no further messages.
  if (revoked.length > 0) await record(() => store.removeFollowers(approval, revoked));
  return { failure, isComplete };
}
