import type { User } from '../../dataprotection/resources/users.ts';
import type { Approvals } from '../../requests/approvals.ts';
import type { PreparedAction } from '../../requests/define-action.ts';
import { notRequestedMessage } from '../../requests/views/request-fields.ts';
import type { SubmissionOf } from '../../slack/interactions/interaction.ts';
import { type Message, notice } from '../../slack/ui/blocks.ts';
import type { Entered, FormErrors } from '../../slack/ui/form.ts';
import { code } from '../../slack/ui/mrkdwn.ts';
import { parseTypedName } from '../../slack/ui/typed-name.ts';
import type { Service } from '../../workspace/open-service.ts';
import { findUser } from './find-users.ts';
import { payloadOf } from './stored-user.ts';
import { userActions } from './user-actions.ts';
import { accountMrkdwn, userMrkdwn } from './views/format-user.ts';
import type { Verb } from './views/ids.ts';
import { confirmationText, type RequestMetadata, type requestForm } from './views/request-modal.ts';

/** Errors that keep the form open. */
export function checkRequest(
  { fullName, email }: Entered<typeof requestForm.fields>,
  { verb, toType }: RequestMetadata,
): FormErrors {
  const newName = parseTypedName(fullName);
  return {
    fullName: verb === 'rename' && 'problem' in newName ? newName.problem : undefined,
    email:
      toType === undefined || isSame(email, toType)
        ? undefined
        : `Enter exactly ${toType}. No request was sent.`,
  };
}

/** Reads the user again, since the form passed through a client, and requests approval. */
export async function submitRequest(
  call: SubmissionOf<typeof requestForm>,
  approvals: Approvals,
): Promise<Message> {
  const { metadata, entered } = call;
  const { verb, userId } = metadata;
  const [service, settings] = await Promise.all([call.service(), call.settings()]);
  const user = await findUser(service.client, userId);
  if (!user) {
    return notice(`The user with the ID ${code(userId)} no longer exists. No request was sent.`);
  }
  const newName = parseTypedName(entered.fullName);
  const newFullName = 'name' in newName ? newName.name : '';
  const problem = problemWith(verb, user, { email: entered.email, newFullName });
  if (problem) return notRequestedMessage(problem, entered.reason);

  return approvals.request(call, {
    prepared: prepareAction(verb, user, service, {
      newFullName,
      graceMinutes: settings.deleteGraceMinutes,
    }),
    reason: entered.reason,
    channelId: metadata.channelId,
    isRepeat: metadata.isRepeat,
    isBreakGlass: entered.breakGlass,
  });
}

/** `newFullName` is checked elsewhere, so a form that has not been filled in can leave it empty. */
export function prepareAction(
  verb: Verb,
  user: User,
  service: Service,
  { newFullName, graceMinutes }: { newFullName: string; graceMinutes: number },
): PreparedAction {
  const payload = payloadOf(user);
  switch (verb) {
    case 'disable':
      return userActions['users.disable'].prepare(payload, user, service);
    case 'enable':
      return userActions['users.enable'].prepare(payload, user, service);
    case 'rename':
      return userActions['users.rename'].prepare({ ...payload, newFullName }, user, service);
    case 'delete':
      return userActions['users.delete'].prepare({ ...payload, graceMinutes }, user, service);
  }
}

/** Why no request is made, checked with the user as they are now. */
function problemWith(
  verb: Verb,
  user: User,
  { email, newFullName }: { email: string; newFullName: string },
): string | undefined {
  if (verb === 'delete' && !isSame(email, confirmationText(user))) {
    return `The confirmation doesn't match ${code(confirmationText(user))}, so no request to delete ${userMrkdwn(user)} was sent. Nothing was changed.`;
  }
  if (verb === 'rename' && newFullName === user.fullName) {
    return `${userMrkdwn(user)} already has this name. No request was sent.`;
  }
  return noChangeReason(verb, user);
}

/** Why a request would change nothing; undefined if it would. */
export function noChangeReason(verb: Verb, user: User): string | undefined {
  if (verb === 'disable' && user.isEnabled === false) {
    return `${accountMrkdwn(user)} is already disabled. No request was sent.`;
  }
  if (verb === 'enable' && user.isEnabled === true) {
    return `${accountMrkdwn(user)} is already enabled. No request was sent.`;
  }
  return undefined;
}

function isSame(typed: string, wanted: string): boolean {
  return typed.toLowerCase() === wanted.toLowerCase();
}
