import { NotFoundError } from '../../dataprotection/http/errors.ts';
import { readUser, type User } from '../../dataprotection/resources/users.ts';
import type { RequestButton } from '../../requests/action.ts';
import type { Approvals } from '../../requests/approvals.ts';
import { offersBreakGlass } from '../../requests/break-glass/break-glass-right.ts';
import { operatorRefusal } from '../../requests/guards.ts';
import { directMessageRefusal } from '../../requests/views/requested-message.ts';
import { isDirectChannel } from '../../slack/api/channel.ts';
import type { MessageRef } from '../../slack/api/post.ts';
import { type Interaction, Refusal } from '../../slack/interactions/interaction.ts';
import { notice } from '../../slack/ui/blocks.ts';
import { encodeValue, maxIdLength } from '../../slack/ui/codec.ts';
import { type ModalView, noticeModal } from '../../slack/ui/modal.ts';
import { code, safeName } from '../../slack/ui/mrkdwn.ts';
import type { WorkspaceSettings } from '../../workspace/settings/document.ts';
import { readProtection } from './check-protected-user.ts';
import { resolveUser } from './find-users.ts';
import { noChangeReason, prepareAction } from './submit-request.ts';
import { userMrkdwn } from './views/format-user.ts';
import { chooseActionId, isRemoval, requestActionIds, type Verb } from './views/ids.ts';
import { chooseModal, type FormContext, modalTitles, requestModal } from './views/request-modal.ts';

type Place = { channelId: string | undefined };

/** Before a form opens. @throws Refusal if the person can't request this, or not from here */
export async function requireRequester(
  call: Interaction & Place,
  verb: Verb,
  { allowsBreakGlass }: { allowsBreakGlass: boolean },
): Promise<void> {
  const action = requestActionIds[verb];
  const [settings] = await Promise.all([call.settings(), call.service()]);
  const notOperator = operatorRefusal(call.person, settings, action);
  const mayBreakGlass = allowsBreakGlass && offersBreakGlass(call.person, settings, action);
  if (notOperator !== undefined && !mayBreakGlass) {
    throw new Refusal(notice(`${notOperator} Nothing was changed.`));
  }
  requireAudience(call, settings);
}

/** @throws Refusal if the request would be posted where nobody else sees it */
export function requireAudience({ channelId }: Place, settings: WorkspaceSettings): void {
  const isPostedHere = settings.approvalsChannel === undefined;
  if (isPostedHere && channelId !== undefined && isDirectChannel(channelId)) {
    throw new Refusal(notice(directMessageRefusal));
  }
}

type FormInput = Pick<FormContext, 'channelId' | 'isRepeat' | 'filledIn'> & {
  verb: Verb;
  /** The message with the button, if it undoes an earlier request. */
  clickedOn?: MessageRef | undefined;
};

/** What answers whether a request can be made, before it is. */
type FormApprovals = Pick<Approvals, 'askAboutOpen' | 'warnOfRefusal' | 'hideUndo'>;

/** The form for the user that `target` names, a choice between several, or why there is none. */
export async function openFormForTarget(
  call: Interaction,
  target: string,
  input: FormInput,
  approvals: FormApprovals,
): Promise<ModalView> {
  const { client } = await call.service();
  const found = await resolveUser(client, target);
  const [user, another] = found.users;
  if (!user) {
    const words = `No user matches “${safeName(target, 100)}”. No request was sent. Try part of the name or the email address with \`/belay users\`.`;
    return noticeModal(modalTitles[input.verb], words);
  }
  if (another || !found.isComplete) return chooseModal(input.verb, target, found, input);
  return formFor(call, user, input, approvals);
}

/** The form for the user with this id, as the service has them now. */
export async function openFormForId(
  call: Interaction,
  userId: string,
  input: FormInput,
  approvals: FormApprovals,
): Promise<ModalView> {
  const { client } = await call.service();
  try {
    return await formFor(call, await readUser(client, userId), input, approvals);
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    const words = `The user with the ID ${code(userId)} no longer exists. No request was sent.`;
    return noticeModal(modalTitles[input.verb], words);
  }
}

async function formFor(
  call: Interaction,
  user: User,
  { verb, clickedOn, channelId, isRepeat, filledIn }: FormInput,
  approvals: FormApprovals,
): Promise<ModalView> {
  const title = modalTitles[verb];
  if (user.id.length > maxIdLength) {
    const words = `The ID of ${userMrkdwn(user)} is too long for a form in Slack. No request was sent. Change this user in the portal of the service.`;
    return noticeModal(title, words);
  }
  const { teamId, person } = call;
  const [service, settings] = await Promise.all([call.service(), call.settings()]);
  const { client, connectionId } = service;
  const reason = noChangeReason(verb, user);
  if (reason) {
    if (clickedOn) await approvals.hideUndo({ teamId, connectionId, clickedOn });
    return noticeModal(title, reason);
  }
  const action = requestActionIds[verb];
  const { deleteGraceMinutes } = settings;
  const { protectedUsers } = settings.access;
  const unfilled = { newFullName: '', graceMinutes: deleteGraceMinutes };
  const prepared = prepareAction({ verb }, user, service, unfilled);
  const again = repeatButton(verb, user.id, channelId);
  const [question, warning, protection] = await Promise.all([
    isRepeat
      ? undefined
      : approvals.askAboutOpen({ teamId, connectionId, action, subjectId: user.id, person, again }),
    approvals.warnOfRefusal(call, { prepared }),
    isRemoval(verb) ? readProtection(user, { client, protectedUsers }) : undefined,
  ]);
  if (protection) {
    const words = `${userMrkdwn(user)}\n🔒 ${protection} No request was sent.`;
    return noticeModal(title, words);
  }
  if (question) return noticeModal(title, question);
  const mayBreakGlass = offersBreakGlass(person, settings, action);
  const shown = { channelId, isRepeat, filledIn, deleteGraceMinutes, mayBreakGlass, warning };
  return requestModal(verb, user, shown);
}

function repeatButton(verb: Verb, userId: string, channelId: string | undefined): RequestButton {
  const value = encodeValue({ verb, userId, channelId, isRepeat: true });
  return { text: 'Request anyway…', actionId: chooseActionId, value };
}
