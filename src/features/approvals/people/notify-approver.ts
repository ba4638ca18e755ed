import { listMembers } from '../../../slack/api/channel.ts';
import {
  isOutcomeUnknown,
  isRateLimited,
  isRecipientGone,
} from '../../../slack/api/error-codes.ts';
import type { Person } from '../../../slack/api/person.ts';
import { sendDirectMessage, updateDirectMessage, updateMessage } from '../../../slack/api/post.ts';
import type { SlackClient } from '../../../slack/api/slack-client.ts';
import type { WorkspaceSettings } from '../../workspaces/index.ts';
import type { Action } from '../action.ts';
import type { Approval } from '../approval.ts';
import { needsAction } from '../break-glass/needs-review.ts';
import { samePersonRefusal } from '../guards.ts';
import type { Follower } from '../store/following.ts';
import { approverMessage } from '../views/approval-message.ts';
import type { StateOptions } from '../views/format-state.ts';
import type { ClaimDirect, CopyOutcome } from './copy-outcome.ts';
import { canTakePart, placesOf } from './places.ts';
import { revokeCopy } from './revoke-copy.ts';

export type ApproverDependencies = StateOptions & {
  slack: SlackClient;
  claimDirect: ClaimDirect;
  readPerson: (teamId: string, slackUserId: string) => Promise<Person>;
  readLink: () => Promise<string>;
  /** Who decides now: Slack user ids. */
  readApprovers: () => Promise<string[]>;
  readSettings: () => Promise<WorkspaceSettings>;
  readRequester: () => Promise<Person>;
  /** The people in the channel of the request. */
  readMembers: () => Promise<string[]>;
  /** The approver, if they may see requests at this moment. */
  readViewer: () => Promise<Person | undefined>;
};

/**
 * Sends an approver the request to decide it, or updates that message. People in the channel of
 * the request get none, because its message has notified them, and neither do those who can't decide it.
 * People who lose the right to decide lose the buttons, and people who may no longer see requests lose
 * the content.
 */
export async function notifyApprover(
  approval: Approval,
  action: Action,
  approver: Follower,
  { slack, claimDirect, ...given }: ApproverDependencies,
): Promise<CopyOutcome> {
  const { slackUserId, kind, direct, attemptedAt, isFirst } = approver;
  const key = `${approval.id}:${kind}`;
  const isAsked = needsAction(approval);
  const isPending = approval.state === 'pending';
  const show = async (canDecide: boolean) => {
    const approvers = isAsked ? await given.readApprovers() : [];
    const isDecidable = canDecide && !(isPending && hasApproved(approval, slackUserId));
    const link = await given.readLink();
    const { isUndone, shortfall, standIns } = given;
    const options = { approvers, isDecidable, link, isUndone, shortfall, standIns };
    return approverMessage(approval, action, options);
  };
  const send = async () => {
    const message = await show(true);
    if (!(await claimDirect({ slackUserId, kind }))) return 'not-claimed';
    return sendDirectMessage(slack, slackUserId, message, { key, attemptedAt });
  };
  if (!direct && !attemptedAt) {
    if (!isAsked || !isFirst) return undefined;
    return (await needsMessage(approval, action, slackUserId, given)) ? send() : undefined;
  }
  const person = await given.readViewer();
  if (!person) return revokeCopy(slack, approver, key);
  const places = placesOf(person, await given.readApprovers(), await given.readSettings());
  const canDecide = places.some(
    (place) => place === person || canTakePart(place, approval, action),
  );
  if (direct) {
    await updateMessage(slack, direct, await show(canDecide));
    return undefined;
  }
  if (!attemptedAt || (isAsked && canDecide)) return send();
  // A message sent by a process that died must not keep its buttons.
  return updateDirectMessage(slack, slackUserId, await show(canDecide), { key, attemptedAt });
}

async function needsMessage(
  approval: Approval,
  action: Action,
  slackUserId: string,
  {
    readApprovers,
    readMembers,
    readPerson,
    readRequester,
    readSettings,
  }: Omit<ApproverDependencies, 'slack' | 'claimDirect'>,
): Promise<boolean> {
  if (hasApproved(approval, slackUserId)) return false;
  if ((await readMembers()).includes(slackUserId)) return false;
  const { teamId, snapshot } = approval;
  try {
    const person = await readPerson(teamId, slackUserId);
    const places = placesOf(person, await readApprovers(), await readSettings());
    const requester = await readRequester();
    if (!places.some((place) => canTakePart(place, approval, action, requester))) return false;
    if (action.isSubject(snapshot, person) !== 'no') return false;
    return samePersonRefusal(requester, person) === undefined;
  } catch (error) {
    if (isRecipientGone(error)) return false;
    throw error;
  }
}

function hasApproved({ votes }: Approval, slackUserId: string): boolean {
  return votes.some(({ by }) => by === slackUserId);
}

/**
 * The people in the channel of a request. Empty if Slack refuses the call; approvers in the channel then
 * get a direct message as well. @throws when a later try may succeed.
 */
export async function readChannelMembers(
  slack: SlackClient,
  { channelId }: Pick<Approval, 'channelId'>,
): Promise<string[]> {
  try {
    return await listMembers(slack, channelId);
  } catch (error) {
    if (isRateLimited(error) || isOutcomeUnknown(error)) throw error;
    return [];
  }
}
