import { z } from 'zod';
import { contentArguments, parseContent } from './content.ts';
import { type Place, placesOf } from './conversations.ts';
import type { AckBody } from './delivery.ts';
import { type GestureContext, ok } from './gesture-context.ts';
import { postAsApp, postAsPerson, tellAsSlackbot } from './messages.ts';
import { escapeTyped } from './mrkdwn.ts';
import type { GestureOutcome } from './protocol.ts';
import { issueResponseUrl, rememberOriginal } from './response-url.ts';
import { issueTrigger } from './trigger.ts';
import type { WorkspacePerson } from './workspace.ts';

const MENTION = /(^|\s)([@#])([\w.-]*\w)/g;

/**
 * A command's text as the app gets it with `should_escape`: entities, and the names of people and
 * channels as ids. A name that nobody bears stays as it was typed.
 */
export const escapeCommandText = (
  typed: string,
  people: WorkspacePerson[],
  places: Place[],
): string =>
  escapeTyped(typed).replaceAll(MENTION, (found, before: string, sigil: string, name: string) => {
    if (sigil === '@') {
      const person = people.find((one) => one.name === name.toLowerCase());
      return person ? `${before}<@${person.slackUserId}|${person.name}>` : found;
    }
    const place = places.find((one) => one.kind === 'channel' && one.name === name.toLowerCase());
    return place ? `${before}<#${place.channelId}|${place.name}>` : found;
  });

const ackSchema = z.object({
  ...contentArguments,
  response_type: z.enum(['ephemeral', 'in_channel']).optional(),
});

const failed = (command: string, error: string): string =>
  `${command} failed with the error "${error}"`;

const payloadOf = (
  { state, person, baseUrl }: GestureContext,
  place: Place,
  command: string,
  text: string,
) => ({
  token: 'legacy-verification-token',
  team_id: person.teamId,
  team_domain: state.workspace.domain,
  channel_id: place.channelId,
  channel_name: place.kind === 'direct' ? 'directmessage' : place.name,
  user_id: person.slackUserId,
  user_name: person.name,
  command,
  text: escapeCommandText(text, [...state.people.values()], placesOf(state, person)),
  api_app_id: state.workspace.app.appId,
  is_enterprise_install: 'false',
  response_url: issueResponseUrl(state, baseUrl, {
    channelId: place.channelId,
    slackUserId: person.slackUserId,
  }),
  trigger_id: issueTrigger(state, person.slackUserId, false),
});

/** Shows an acknowledgement that says something: privately unless the app asked otherwise. */
const showAnswer = (
  context: GestureContext,
  place: Place,
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
  if (isPublic) postAsPerson(state, place.channelId, person, escapeTyped(typed));
  const visibleTo = isPublic ? undefined : person.slackUserId;
  const posted = postAsApp(state, place.channelId, parsed.content, visibleTo);
  rememberOriginal(state, responseUrl, posted.messageTs);
  return undefined;
};

/** Runs what a person typed after `/`, and shows what came of it. */
export const runSlashCommand = async (
  context: GestureContext,
  place: Place,
  typed: string,
): Promise<GestureOutcome> => {
  const { state, person, deliver } = context;
  const [command = '', ...rest] = typed.trim().split(/\s/);
  const tell = (text: string) => tellAsSlackbot(state, place.channelId, person.slackUserId, text);
  if (!state.workspace.app.commands.some((one) => one.command === command)) {
    tell(`\`${escapeTyped(command)}\` is not a valid command.`);
    return ok;
  }
  const payload = payloadOf(context, place, command, rest.join(' ').trim());
  const ack = await deliver('slash_commands', payload);
  if (ack.kind !== 'acked') {
    tell(failed(command, ack.kind));
    return { result: ack.kind };
  }
  if (!ack.body) return ok;
  const error = showAnswer(context, place, typed, payload.response_url, ack.body);
  if (error) tell(failed(command, error));
  return ok;
};
