import type { User } from '../../dataprotection/resources/users.ts';
import type { RequestButton } from '../../requests/action.ts';
import type { Approvals } from '../../requests/approvals.ts';
import { offersBreakGlass } from '../../requests/break-glass/break-glass-right.ts';
import { operatorRefusal } from '../../requests/guards.ts';
import { requesters, requireAudience } from '../../requests/open-form.ts';
import type { MessageRef } from '../../slack/api/post.ts';
import { type Interaction, MissingRight } from '../../slack/interactions/interaction.ts';
import { notice } from '../../slack/ui/blocks.ts';
import { encodeValue, maxIdLength } from '../../slack/ui/codec.ts';
import { type ModalView, noticeModal } from '../../slack/ui/modal.ts';
import { code, safeName } from '../../slack/ui/mrkdwn.ts';
import { readProtection } from './check-protected-user.ts';
import { findUser, resolveUser } from './find-users.ts';
import { noChangeReason, prepareAction } from './submit-request.ts';
import { userMrkdwn } from './views/format-user.ts';
import { chooseActionId, isRemoval, requestActionIds, type Verb } from './views/ids.ts';
import { chooseModal, type FormInput, modalTitles, requestModal } from './views/request-modal.ts';

/** Before a form opens. @throws Refusal if the person can't request this, or not from here */
export async function requireRequester(
  call: Interaction & { channelId: string | undefined },
  verb: Verb,
  { allowsBreakGlass }: { allowsBreakGlass: boolean },
): Promise<void> {
  const action = requestActionIds[verb];
  const [settings] = await Promise.all([call.settings(), call.service()]);
  const refusal = allowsBreakGlass
    ? await requesters(action)(call)
    : operatorRefusal(call.person, settings, action);
  if (refusal !== undefined) {
    throw new MissingRight(notice(`${refusal} Nothing was changed.`), `/belay ${verb}`);
  }
  requireAudience(call.channelId, settings);
}

/** `clickedOn`: the message with the button, if it undoes an earlier request. */
type Opened = FormInput & { clickedOn?: MessageRef | undefined };

/** What answers whether a request can be made, before it is. */
type FormApprovals = Pick<Approvals, 'askAboutOpen' | 'warnOfRefusal' | 'hideUndo'>;

/** The form for the user that `target` names, a choice between several, or why there is none. */
export async function openFormForTarget(
  call: Interaction,
  target: string,
  input: Opened,
  approvals: FormApprovals,
): Promise<ModalView> {
  const { client } = await call.service();
  const found = await resolveUser(client, target);
  const [user, another] = found.users;
  if (!user) {
    const words = `No user matches “${safeName(target, 100)}”. No request was sent. Try part of the name or the email address with \`/belay users\`.`;
    return noticeModal(modalTitles[input.verb], words);
  }
  if (another || !found.isComplete) return chooseModal(target, found, input);
  return formFor(call, user, input, approvals);
}

/** The form for the user with this id, as the service has them now. */
export async function openFormForId(
  call: Interaction,
  userId: string,
  input: Opened,
  approvals: FormApprovals,
): Promise<ModalView> {
  const { client } = await call.service();
  const user = await findUser(client, userId);
  if (user) return formFor(call, user, input, approvals);
  const words = `The user with the ID ${code(userId)} no longer exists. No request was sent.`;
  return noticeModal(modalTitles[input.verb], words);
}

async function formFor(
  call: Interaction,
  user: User,
  input: Opened,
  approvals: FormApprovals,
): Promise<ModalView> {
  const { verb, clickedOn, channelId, isRepeat, filledIn } = input;
  const title = modalTitles[verb];
  if (user.id.length > maxIdLength) {
    const words = `The ID of ${userMrkdwn(user)} is too long for a form in Slack. No request was sent. Change this user in the service's portal.`;
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
  const unfilled = { newFullName: '', graceMinutes: deleteGraceMinutes };
  const prepared = prepareAction(verb, user, service, unfilled);
  const repeated = { verb, userId: user.id, channelId, filledIn, isRepeat: true };
  const again: RequestButton = {
    text: 'Request anyway…',
    actionId: chooseActionId,
    value: encodeValue(repeated),
  };
  const [question, warning, protection] = await Promise.all([
    isRepeat
      ? undefined
      : approvals.askAboutOpen({ teamId, connectionId, action, subjectId: user.id, person, again }),
    approvals.warnOfRefusal(call, { prepared }),
    isRemoval(verb) ? readProtection(client, user, settings.access.protectedUsers) : undefined,
  ]);
  if (protection) {
    const words = `${userMrkdwn(user)}\n🔒 ${protection} No request was sent.`;
    return noticeModal(title, words);
  }
  if (question) return noticeModal(title, question);
  const mayBreakGlass = offersBreakGlass(person, settings, action);
  return requestModal(user, input, { deleteGraceMinutes, mayBreakGlass, warning });
}
