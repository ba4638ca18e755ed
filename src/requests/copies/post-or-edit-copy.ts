import { listMembers } from '../../slack/api/channel.ts';
import { isOutcomeUnknown, isRateLimited } from '../../slack/api/error-codes.ts';
import { findPerson, type Person } from '../../slack/api/person.ts';
import {
  type MessageRef,
  sendDirectMessage,
  updateDirectMessage,
  updateMessage,
} from '../../slack/api/post.ts';
import type { SlackClient } from '../../slack/api/slack-client.ts';
import { type Message, notice } from '../../slack/ui/blocks.ts';
import { mayView } from '../../workspace/permissions.ts';
import type { WorkspaceSettings } from '../../workspace/settings/document.ts';
import type { Action } from '../action.ts';
import { type Approval, isNews, needsAction } from '../approval.ts';
import { samePersonRefusal } from '../guards.ts';
import { canTakePart, placesOf } from '../people/places.ts';
import {
  approvalMessage,
  approverMessage,
  followerMessage,
  requesterMessage,
} from '../views/approval-message.ts';
import type { StateOptions } from '../views/format-state.ts';
import type { SubjectResult } from '../views/subject-results.ts';
import { type Copy, type CopyRef, copyKey } from './copy.ts';

/** What the copies of one request are rendered from. Each is read at most once, when it is needed. */
export type Showing = {
  approval: Approval;
  action: Action;
  slack: SlackClient;
  options: StateOptions;
  /** Of a request about several subjects, once it was approved. */
  results: SubjectResult[] | undefined;
  /** Call before sending a direct message. False if this process may not send it, or has no time left. */
  claimDirect: (copy: CopyRef) => Promise<boolean>;
  readSettings: () => Promise<WorkspaceSettings>;
  /** Who decides now: Slack user ids. */
  readApprovers: () => Promise<string[]>;
  /**
   * Whether the person may see requests at this moment. @throws GroupUnreadError while that isn't known,
   * so that the message is updated later.
   */
  mayRead: (slackUserId: string) => Promise<boolean>;
  readPerson: (slackUserId: string) => Promise<Person>;
  readRequester: () => Promise<Person>;
  /** The people in the channel of the request. */
  readMembers: () => Promise<string[]>;
  readLink: () => Promise<string>;
};

/**
 * What became of a copy: the place of a new message, `revoked` if the person may no longer see the request,
 * `not-claimed` if it is still to be sent. Undefined: it was updated, or isn't needed.
 */
export type CopyOutcome = MessageRef | 'revoked' | 'not-claimed' | undefined;

/** Updates a message about a request, or sends it at the first version worth notifying. */
export function postOrEditCopy(copy: Copy, showing: Showing): Promise<CopyOutcome> {
  switch (copy.kind) {
    case 'channel':
      return showInChannel(copy, showing);
    case 'requester':
      return showReader(copy, showing, requesterMessage);
    case 'follower':
      return showReader(copy, showing, followerMessage);
    case 'approver':
      return showApprover(copy, showing);
  }
}

async function showInChannel({ message }: Copy, showing: Showing): Promise<undefined> {
  const { approval, action, slack, options, results } = showing;
  if (!message) return;
  const approvers = await readAsked(showing);
  const shown = approvalMessage(approval, action, approvers, { ...options, results });
  await updateMessage(slack, message, shown);
}

/** The approvers, if they have something to do. */
async function readAsked({ approval, readApprovers }: Showing): Promise<string[]> {
  return needsAction(approval) ? readApprovers() : [];
}

/**
 * The requester or a follower. Somebody who may no longer see requests gets no message, and the one they
 * have loses its content.
 */
async function showReader(
  copy: Copy,
  showing: Showing,
  render: typeof requesterMessage,
): Promise<CopyOutcome> {
  const { approval, action, options } = showing;
  // Followers, unlike the requester, don't know yet that the request was withdrawn.
  const isNew = isNews(approval) || (copy.kind === 'follower' && approval.state === 'withdrawn');
  if (!copy.message && !isNew) return undefined;
  if (!(await showing.mayRead(copy.slackUserId))) return revoke(copy, showing);
  return updateOrSend(copy, showing, async () => {
    const approvers = await readAsked(showing);
    return render(approval, action, { ...options, approvers, link: await showing.readLink() });
  });
}

/**
 * An approver gets the request to decide it. People in the channel of the request get none, because its
 * message has notified them, and neither do those who can't decide it. People who lose the right to decide
 * lose the buttons, and people who may no longer see requests lose the content.
 */
async function showApprover(copy: Copy, showing: Showing): Promise<CopyOutcome> {
  const { approval, action, slack, options } = showing;
  const { slackUserId, message, attemptedAt, shownVersion } = copy;
  const isAsked = needsAction(approval);
  const isPending = approval.state === 'pending';
  const render = async (canDecide: boolean) => {
    const approvers = await readAsked(showing);
    const isDecidable = canDecide && !(isPending && hasApproved(approval, slackUserId));
    const link = await showing.readLink();
    return approverMessage(approval, action, { ...options, approvers, isDecidable, link });
  };
  if (!message && !attemptedAt) {
    const isFirst = shownVersion < 0;
    if (!isAsked || !isFirst || !(await needsMessage(slackUserId, showing))) return undefined;
    return updateOrSend(copy, showing, () => render(true));
  }
  const person = await findViewer(copy, showing);
  if (!person) return revoke(copy, showing);
  const places = placesOf(person, await showing.readApprovers(), await showing.readSettings());
  const canDecide = places.some(
    (place) => place === person || canTakePart(place, approval, action),
  );
  if (!message && attemptedAt && !(isAsked && canDecide)) {
    // A message sent by a process that died must not keep its buttons.
    const once = { key: copyKey(copy.kind, showing.approval), attemptedAt };
    return updateDirectMessage(slack, slackUserId, await render(canDecide), once);
  }
  return updateOrSend(copy, showing, () => render(canDecide));
}

async function updateOrSend(
  copy: Copy,
  showing: Showing,
  render: () => Promise<Message>,
): Promise<CopyOutcome> {
  const { slack } = showing;
  const { slackUserId, message, attemptedAt } = copy;
  const shown = await render();
  if (message) {
    await updateMessage(slack, message, shown);
    return undefined;
  }
  if (!(await showing.claimDirect(copy))) return 'not-claimed';
  return sendDirectMessage(slack, slackUserId, shown, {
    key: copyKey(copy.kind, showing.approval),
    attemptedAt,
  });
}

async function needsMessage(slackUserId: string, showing: Showing): Promise<boolean> {
  const { approval, action } = showing;
  if (hasApproved(approval, slackUserId)) return false;
  if ((await showing.readMembers()).includes(slackUserId)) return false;
  const person = await findPerson(showing.readPerson(slackUserId));
  const requester = await findPerson(showing.readRequester());
  if (!person || !requester) return false;
  const places = placesOf(person, await showing.readApprovers(), await showing.readSettings());
  if (!places.some((place) => canTakePart(place, approval, action, requester))) return false;
  if (action.isSubject(person) !== 'no') return false;
  return samePersonRefusal(requester, person) === undefined;
}

function hasApproved({ votes }: Approval, slackUserId: string): boolean {
  return votes.some(({ by }) => by === slackUserId);
}

/** The person, if `mayRead`, with the approvers they stand in for. */
async function findViewer(
  { slackUserId }: Copy,
  { readPerson, readSettings }: Showing,
): Promise<Person | undefined> {
  const person = await findPerson(readPerson(slackUserId));
  return person && mayView(person, await readSettings()) ? person : undefined;
}

/** In place of a direct message about a request, for somebody who lost the right to see it. */
const revokedMessage = notice('You no longer have access to this request.');

/** Removes the content and the buttons from a message that may have been sent. Sends none. */
async function revoke(copy: Copy, showing: Showing): Promise<'revoked'> {
  const { slack } = showing;
  const { slackUserId, message, attemptedAt } = copy;
  if (message) await updateMessage(slack, message, revokedMessage);
  else if (attemptedAt) {
    const once = { key: copyKey(copy.kind, showing.approval), attemptedAt };
    await updateDirectMessage(slack, slackUserId, revokedMessage, once);
  }
  return 'revoked';
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
