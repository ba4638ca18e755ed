import type { Clock } from '../../../clock.ts';
import type { Person } from '../../../slack/api/person.ts';
import { sendDirectMessage, updateMessage } from '../../../slack/api/post.ts';
import type { SlackClient } from '../../../slack/api/slack-client.ts';
import { type Message, notice } from '../../../slack/ui/blocks.ts';
import type { Action } from '../action.ts';
import type { Approval } from '../approval.ts';
import { isNews } from '../approval-state.ts';
import type { BindAction } from '../define-action.ts';
import type { ApprovalStore } from '../store/approval-store.ts';
import type { Follower } from '../store/following.ts';
import { followerMessage } from '../views/approval-message.ts';
import type { StateOptions } from '../views/format-state.ts';
import { refusalMessage } from '../views/refusal-message.ts';
import type { ClaimDirect, CopyOutcome } from './copy-outcome.ts';
import { revokeCopy } from './revoke-copy.ts';

type FollowDependencies = {
  store: Pick<ApprovalStore, 'find' | 'follow'>;
  bind: BindAction;
  clock: Clock;
};

/** Notifies the person of the outcome of a request as its requester is; resolves to the reply. */
export async function followRequest(
  {
    teamId,
    approvalId: id,
    slackUserId,
  }: { teamId: string; approvalId: string; slackUserId: string },
  { store, bind, clock }: FollowDependencies,
): Promise<Message> {
  const ref = { teamId, id };
  const found = await store.find(ref);
  if (!found) return notice('This request no longer exists.');
  if (found.requester === slackUserId) {
    return notice("This is your request. You'll get a direct message with the outcome.");
  }
  const followed = await store.follow({ ...ref, slackUserId, at: clock() });
  if (followed) return notice("You'll get a direct message with the outcome of this request.");
  const ended = (await store.find(ref)) ?? found;
  return refusalMessage({ result: 'request_closed', approval: ended }, bind);
}

/**
 * Sends or updates a follower's message. Somebody who may no longer
 * see requests gets none, and the message they have loses its content.
 */
export async function notifyFollower(
  approval: Approval,
  action: Action,
  follower: Follower,
  {
    slack,
    claimDirect,
    readLink,
    readApprovers,
    readViewer,
    ...options
  }: StateOptions & {
    slack: SlackClient;
    claimDirect: ClaimDirect;
    readLink: () => Promise<string>;
    readApprovers: () => Promise<string[]>;
    /** The follower, if they may see requests at this moment. */
    readViewer: () => Promise<Person | undefined>;
  },
): Promise<CopyOutcome> {
  const { slackUserId, kind, direct, attemptedAt } = follower;
  const key = approval.id;
  const show = async () => {
    const approvers = approval.state === 'pending' ? await readApprovers() : [];
    return followerMessage(approval, action, { approvers, link: await readLink(), ...options });
  };
  // Followers, unlike the requester, don't know yet that the request was withdrawn.
  if (!direct && !isNews(approval) && approval.state !== 'withdrawn') return undefined;
  if (!(await readViewer())) return revokeCopy(slack, follower, key);
  if (direct) {
    await updateMessage(slack, direct, await show());
    return undefined;
  }
  const message = await show();
  if (!(await claimDirect({ slackUserId, kind }))) return 'not-claimed';
  return sendDirectMessage(slack, slackUserId, message, { key, attemptedAt });
}
