import { NotFoundError } from '../../dataprotection/errors.ts';
import { readUser, type User } from '../../dataprotection/users.ts';
import { type Message, notice } from '../../slack/blocks.ts';
import type { SubmissionCall } from '../../slack/call.ts';
import { code, escapeMrkdwn } from '../../slack/mrkdwn.ts';
import type { ViewValues } from '../../slack/view-values.ts';
import type { Approvals } from '../approvals/approvals.ts';
import { notConnected, type OpenService } from '../workspaces/workspaces.ts';
import { askActionIds, emailBlockId, fullNameBlockId, reasonBlockId } from './ids.ts';
import { alreadySo } from './open-request.ts';
import { type RequestMetadata, typedToDelete } from './request-modal.ts';
import { userMrkdwn } from './user-text.ts';

/** Faults that the form alone shows, which keep it open. Slack takes blanks for an answer. */
export function checkTyped(
  values: ViewValues,
  { verb, toType }: RequestMetadata,
): Record<string, string> | undefined {
  const errors: Record<string, string> = {};
  if (!values.text(reasonBlockId)) errors[reasonBlockId] = 'Please give a reason.';
  if (verb === 'rename' && !values.text(fullNameBlockId)) {
    errors[fullNameBlockId] = 'Please enter a name.';
  }
  if (toType !== undefined && !isSame(values.text(emailBlockId), toType)) {
    errors[emailBlockId] = `This is not ${toType}. Nothing was asked for.`;
  }
  return Object.keys(errors).length > 0 ? errors : undefined;
}

/** Reads the user anew, since the form passed through a client, and asks for approval. */
export async function submitRequest(
  call: SubmissionCall<RequestMetadata>,
  { openService, approvals }: { openService: OpenService; approvals: Approvals },
): Promise<Message> {
  const { teamId, enterpriseId, person, metadata, values, viewId, slack } = call;
  const { verb, userId } = metadata;
  const service = await openService(teamId);
  if (!service) return notConnected;
  const user = await readIfThere(service.client, userId);
  if (!user) {
    return notice(`There is no user with the id ${code(userId)} any more. Nothing was asked for.`);
  }
  const problem = problemWith(verb, user, values);
  if (problem) return notice(`${problem}${typedReason(values)}`);

  const identity = { id: user.id, fullName: user.fullName, email: user.email };
  const newFullName = values.text(fullNameBlockId);
  return approvals.request({
    teamId,
    enterpriseId,
    requester: person.slackUserId,
    action: askActionIds[verb],
    payload: verb === 'rename' ? { ...identity, newFullName } : identity,
    reason: values.text(reasonBlockId) ?? '',
    channelId: metadata.channelId,
    viewId,
    service,
    slack,
  });
}

function problemWith(
  verb: RequestMetadata['verb'],
  user: User,
  values: ViewValues,
): string | undefined {
  if (verb === 'delete' && !isSame(values.text(emailBlockId), typedToDelete(user))) {
    return `What you typed is not ${code(typedToDelete(user))}, so no request to delete ${userMrkdwn(user)} was made. Nothing was changed.`;
  }
  if (verb === 'rename' && values.text(fullNameBlockId) === user.fullName) {
    return `${userMrkdwn(user)} has this name already. Nothing was asked for.`;
  }
  return alreadySo(verb, user);
}

function isSame(typed: string | undefined, wanted: string): boolean {
  return typed?.toLowerCase() === wanted.toLowerCase();
}

function typedReason(values: ViewValues): string {
  const reason = values.text(reasonBlockId);
  return reason ? `\n\nYour reason was:\n${escapeMrkdwn(reason)}` : '';
}

async function readIfThere(
  client: Parameters<typeof readUser>[0],
  userId: string,
): Promise<User | undefined> {
  try {
    return await readUser(client, userId);
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}
