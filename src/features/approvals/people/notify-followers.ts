import type { Clock } from '../../../clock.ts';
import type { WorkspaceSettings } from '../../workspaces/index.ts';
import type { BoundAction } from '../bound-action.ts';
import type { ApprovalStore } from '../store/approval-store.ts';
import type { Follower } from '../store/following.ts';
import type { RenderingClaim } from '../store/publishing.ts';
import type { CopyKind } from '../store/tables.ts';
import type { CopyOutcome } from './copy-outcome.ts';
import { notifyFollower } from './follow-request.ts';
import { type ApproverDependencies, notifyApprover } from './notify-approver.ts';
import { findViewer } from './revoke-copy.ts';

type FollowersDependencies = Omit<ApproverDependencies, 'readViewer'> & {
  store: Pick<ApprovalStore, 'markFollowerNotified' | 'removeFollower'>;
  readSettings: () => Promise<WorkspaceSettings>;
  clock: Clock;
  /** After this there is no time left to send a message under the claim. */
  sendBy: Date;
  /** The failure, logged; none for a message that can never be updated again. */
  attempt: (kind: CopyKind, notify: () => Promise<void>) => Promise<Error | undefined>;
  /** Retries a statement as long as the claim lasts. */
  record: (statement: () => Promise<void>) => Promise<void>;
};

/** Sends and updates the messages of followers and approvers. Not complete if there was no time for all. */
export async function notifyFollowers(
  approval: RenderingClaim,
  action: BoundAction,
  followers: Follower[],
  { store, clock, sendBy, attempt, record, ...given }: FollowersDependencies,
): Promise<{ failure: Error | undefined; isComplete: boolean }> {
  let failure: Error | undefined;
  let isComplete = true;
  for (const follower of followers) {
    if (clock() >= sendBy) return { failure, isComplete: false };
    const { slackUserId, kind } = follower;
    const notify = kind === 'approver' ? notifyApprover : notifyFollower;
    const readViewer = () => findViewer(approval, slackUserId, given);
    let outcome: CopyOutcome;
    const failed = await attempt(kind, async () => {
      outcome = await notify(approval, action, follower, { ...given, readViewer });
    });
    failure ??= failed;
    if (outcome === 'not-claimed') isComplete = false;
    if (!failed) await record(() => recordOutcome(approval, follower, outcome, store));
  }
  return { failure, isComplete };
}

/** Somebody who lost the right to see the request gets no further messages. */
async function recordOutcome(
  approval: RenderingClaim,
  follower: Follower,
  outcome: CopyOutcome,
  store: FollowersDependencies['store'],
): Promise<void> {
  if (outcome === 'not-claimed') return;
  if (outcome === 'revoked') return store.removeFollower(approval, follower);
  await store.markFollowerNotified(approval, { ...follower, direct: outcome });
}
