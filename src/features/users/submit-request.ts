import type { User } from '../../dataprotection/resources/users.ts';
import type { SubmissionInteraction } from '../../slack/listeners/interaction.ts';
import { type Message, notice } from '../../slack/ui/blocks.ts';
import { code, escapeMrkdwn } from '../../slack/ui/mrkdwn.ts';
import type { ViewValues } from '../../slack/ui/view-values.ts';
import type { Approvals } from '../approvals/index.ts';
import { notConnected, type OpenService, type WorkspaceSettings } from '../workspaces/index.ts';
import { findUser } from './find-users.ts';
import { alreadySo } from './open-request.ts';
import { userMrkdwn } from './views/format-user.ts';
import {
  askActionIds,
  emailBlockId,
  fullNameBlockId,
  reasonBlockId,
  type Verb,
} from './views/ids.ts';
import { type RequestMetadata, typedToDelete } from './views/request-modal.ts';

export type UsersDependencies = {
  openService: OpenService;
  approvals: Approvals;
  readSettings: (teamId: string) => Promise<WorkspaceSettings>;
};

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
  call: SubmissionInteraction<RequestMetadata>,
  { openService, approvals, readSettings }: UsersDependencies,
): Promise<Message> {
  const { teamId, enterpriseId, person, metadata, values, viewId, slack } = call;
  const { verb, userId } = metadata;
  const [service, settings] = await Promise.all([openService(teamId), readSettings(teamId)]);
  if (!service) return notConnected;
  const user = await findUser(service.client, userId);
  if (!user) {
    return notice(`There is no user with the id ${code(userId)} any more. Nothing was asked for.`);
  }
  const problem = problemWith(verb, user, values);
  if (problem) return notice(`${problem}${typedReason(values)}`);

  const identity = { id: user.id, fullName: user.fullName, email: user.email };
  const more: Record<Verb, object> = {
    disable: {},
    enable: {},
    rename: { newFullName: values.text(fullNameBlockId) },
    delete: { graceMinutes: settings.deleteGraceMinutes },
  };
  return approvals.request({
    teamId,
    enterpriseId,
    requester: person,
    action: askActionIds[verb],
    payload: { ...identity, ...more[verb] },
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
