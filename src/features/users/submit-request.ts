import type { User } from '../../dataprotection/resources/users.ts';
import type { SubmissionInteraction } from '../../slack/interactions/interaction.ts';
import { type Message, notice } from '../../slack/ui/blocks.ts';
import { code, quote } from '../../slack/ui/mrkdwn.ts';
import { parseTypedName } from '../../slack/ui/typed-name.ts';
import type { ViewValues } from '../../slack/ui/view-values.ts';
import { type Approvals, type PreparedAction, readBreakGlass } from '../approvals/index.ts';
import type { Service } from '../workspaces/index.ts';
import { findUser } from './find-users.ts';
import { noChangeReason } from './open-request.ts';
import { userActions } from './user-actions.ts';
import { userMrkdwn } from './views/format-user.ts';
import { emailBlockId, fullNameBlockId, reasonBlockId } from './views/ids.ts';
import { confirmationText, type RequestMetadata } from './views/request-modal.ts';

/** Errors that keep the form open. Slack accepts blank answers. */
export function checkForm(
  values: ViewValues,
  { verb, toType }: RequestMetadata,
): Record<string, string> | undefined {
  const errors: Record<string, string> = {};
  if (!values.text(reasonBlockId)) errors[reasonBlockId] = 'Enter a reason.';
  const newName = parseTypedName(values.text(fullNameBlockId) ?? '');
  if (verb === 'rename' && 'problem' in newName) errors[fullNameBlockId] = newName.problem;
  if (toType !== undefined && !isSame(values.text(emailBlockId), toType)) {
    errors[emailBlockId] = `Enter exactly ${toType}. No request was sent.`;
  }
  return Object.keys(errors).length > 0 ? errors : undefined;
}

/** Reads the user again, since the form passed through a client, and requests approval. */
export async function submitRequest(
  call: SubmissionInteraction<RequestMetadata>,
  approvals: Approvals,
): Promise<Message> {
  const { teamId, enterpriseId, person, metadata, values, viewId, slack } = call;
  const { verb, userId } = metadata;
  const [service, settings] = await Promise.all([call.service(), call.settings()]);
  const user = await findUser(service.client, userId);
  if (!user) {
    return notice(`The user with the ID ${code(userId)} no longer exists. No request was sent.`);
  }
  const newName = parseTypedName(values.text(fullNameBlockId) ?? '');
  const newFullName = 'name' in newName ? newName.name : '';
  const problem = problemWith(verb, user, { values, newFullName });
  if (problem) return notice(`${problem}${repeatReason(values)}`);

  return approvals.request({
    teamId,
    enterpriseId,
    requester: person,
    prepared: prepareAction(metadata, user, service, {
      newFullName,
      graceMinutes: settings.deleteGraceMinutes,
    }),
    reason: values.text(reasonBlockId) ?? '',
    channelId: metadata.channelId,
    viewId,
    isRepeat: metadata.isRepeat,
    isBreakGlass: readBreakGlass(values),
    settings,
    slack,
  });
}

/** `newFullName` is checked elsewhere, so a form that has not been filled in can leave it empty. */
export function prepareAction(
  { verb }: Pick<RequestMetadata, 'verb'>,
  user: User,
  service: Service,
  { newFullName, graceMinutes }: { newFullName: string; graceMinutes: number },
): PreparedAction {
  const payload = { id: user.id, fullName: user.fullName, email: user.email };
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
  verb: RequestMetadata['verb'],
  user: User,
  { values, newFullName }: { values: ViewValues; newFullName: string },
): string | undefined {
  if (verb === 'delete' && !isSame(values.text(emailBlockId), confirmationText(user))) {
    return `The confirmation doesn't match ${code(confirmationText(user))}, so no request to delete ${userMrkdwn(user)} was sent. Nothing was changed.`;
  }
  if (verb === 'rename' && newFullName === user.fullName) {
    return `${userMrkdwn(user)} already has this name. No request was sent.`;
  }
  return noChangeReason(verb, user);
}

function isSame(typed: string | undefined, wanted: string): boolean {
  return typed?.toLowerCase() === wanted.toLowerCase();
}

function repeatReason(values: ViewValues): string {
  const reason = values.text(reasonBlockId);
  return reason ? `\n\nYour reason was:\n${quote(reason)}` : '';
}
