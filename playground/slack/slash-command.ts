import { z } from 'zod';
import { contentArguments, parseContent } from './content.ts';
import { listConversations, type StoredConversation } from './conversations.ts';
import type { AckBody } from './delivery.ts';
import { type GestureContext, ok } from './gesture-context.ts';
import { commandEnterpriseFields } from './installations/payload-fields.ts';
import { postAsApp, postAsPerson, postAsSlackbot } from './messages.ts';
import { escapeTyped } from './mrkdwn.ts';
import type { GestureOutcome } from './protocol.ts';
import { issueResponseUrl, rememberOriginal } from './response-url.ts';
import { issueTrigger } from './trigger.ts';
import type { WorkspacePerson } from './workspace.ts';

const MENTION = /(^|\s)([@#])([\w.-]*\w)/g;

/**
 * The text of a command as the app gets it with `should_escape`: entities, and ids for the names of
 * people and channels. Unknown names are unchanged.
 * https://docs.slack.dev/interactivity/implementing-slash-commands#escaping
 */
const escapeCommandText = (
  typed: string,
  people: WorkspacePerson[],
  conversations: StoredConversation[],
): string =>
  escapeTyped(typed).replaceAll(MENTION, (found, before: string, sigil: string, name: string) => {
    if (sigil === '@') {
      const person = people.find((one) => one.name === name.toLowerCase());
      return person ? `${before}<@${person.slackUserId}|${person.name}>` : found;
    }
    const conversation = conversations.find(
      (one) => one.kind === 'channel' && one.name === name.toLowerCase(),
    );
    return conversation ? `${before}<#${conversation.channelId}|${conversation.name}>` : found;
  });

const ackSchema = z.object({
  ...contentArguments,
  response_type: z.enum(['ephemeral', 'in_channel']).optional(),
});

const failed = (command: string, error: string): string =>
  `${command} failed with the error "${error}"`;

const payloadOf = (
  { state, person, client, baseUrl }: GestureContext,
  conversation: StoredConversation,
  command: string,
  text: string,
) => ({
  token: 'legacy-verification-token',
  // That of a person from outside is their own; members of the organization act in this one.
  team_id: person.otherTeamIds?.includes(state.workspace.teamId)
    ? state.workspace.teamId
    : person.teamId,
  team_domain: state.workspace.domain,
  channel_id: conversation.channelId,
  channel_name: conversation.kind === 'direct' ? 'directmessage' : conversation.name,
  user_id: person.slackUserId,
  user_name: person.name,
  command,
  text: escapeCommandText(text, [...state.people.values()], listConversations(state, person)),
  api_app_id: state.workspace.app.appId,
  ...commandEnterpriseFields(state),
  response_url: issueResponseUrl(state, baseUrl, {
    channelId: conversation.channelId,
    slackUserId: person.slackUserId,
  }),
  trigger_id: issueTrigger(state, client, false),
});

/** Shows the message in an acknowledgement: privately, unless its response_type is in_channel. */
const showAnswer = (
  context: GestureContext,
  conversation: StoredConversation,
  typed: string,
  responseUrl: string,
  body: AckBody,
): string | undefined => {
  const { state, person } = context;
  const answer = ackSchema.safeParse(body);
  if (!answer.success) return 'invalid_payload';
  const parsed = parseContent(answer.data);
  if (!parsed.ok) return parsed.error;
  const isPublic = answer.data.response_type === 'in_channel';
  if (isPublic) postAsPerson(state, conversation.channelId, person, escapeTyped(typed));
  const visibleTo = isPublic ? undefined : person.slackUserId;
  const posted = postAsApp(state, conversation.channelId, parsed.content, visibleTo);
  rememberOriginal(state, responseUrl, posted.messageTs);
  return undefined;
};

/** Sends a slash command to the app and shows its answer or the error. */
export const runSlashCommand = async (
  context: GestureContext,
  conversation: StoredConversation,
  typed: string,
): Promise<GestureOutcome> => {
  const { state, person, deliver } = context;
  const [command = '', ...rest] = typed.trim().split(/\s/);
  const notify = (text: string) =>
    postAsSlackbot(state, conversation.channelId, person.slackUserId, text);
  const isKnown = state.workspace.app.commands.some((one) => one.command === command);
  if (!state.installation || !isKnown) {
    notify(`\`${escapeTyped(command)}\` is not a valid command.`);
    return ok;
  }
  const payload = payloadOf(context, conversation, command, rest.join(' ').trim());
  const ack = await deliver('slash_commands', payload);
  if (ack.kind !== 'acked') {
    notify(failed(command, ack.kind));
    return { result: ack.kind };
  }
  if (!ack.body) return ok;
  const error = showAnswer(context, conversation, typed, payload.response_url, ack.body);
  if (error) notify(failed(command, error));
  return ok;
};
