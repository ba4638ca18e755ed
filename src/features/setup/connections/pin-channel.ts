import { thisPlace } from '../../../slack/api/channel.ts';
import { refusedName } from '../../../slack/interactions/choose-connection.ts';
import { type Interaction, MissingRight } from '../../../slack/interactions/interaction.ts';
import { type Message, notice } from '../../../slack/ui/blocks.ts';
import { bold } from '../../../slack/ui/mrkdwn.ts';
import { isApproverOrAdmin } from '../../../workspace/permissions.ts';
import type { SetupContext } from '../setup-context.ts';
import { defaultWord } from '../views/connection-form.ts';
import { connectionGone } from './connection-forms.ts';

type Place = Pick<Interaction, 'teamId' | 'person' | 'settings'> & { channelId: string };

/** `/belay connection use <name>`: pins the channel to a connection; `default` unpins the channel. */
export async function pinByName(
  place: Place,
  name: string,
  context: SetupContext,
): Promise<Message> {
  if (name.toLowerCase() === defaultWord) return unpinHere(place, context);
  const connections = await context.store.listConnections(place.teamId);
  const named = connections.find((one) => one.name.toLowerCase() === name.toLowerCase());
  if (named) return pinHere(place, named.originId, context);
  return refusedName(
    name,
    connections.map((one) => one.name),
  );
}

/** Pins the channel to a connection. */
export async function pinHere(
  { teamId, channelId, ...caller }: Place,
  originId: string,
  { store, clock }: SetupContext,
): Promise<Message> {
  await requireRight(caller);
  const connections = await store.listConnections(teamId);
  const connection = connections.find((one) => one.originId === originId);
  if (!connection) return connectionGone;
  const { name } = connection;
  const by = caller.person.slackUserId;
  await store.pinChannel({ teamId, channelId, originId, name, by, at: clock() });
  return notice(
    `Commands in ${thisPlace(channelId)} now use the connection ${bold(name)}. ${othersUnchanged}`,
  );
}

/** The channel uses the default connection again. */
export async function unpinHere(
  { teamId, channelId, ...caller }: Place,
  { store, clock }: SetupContext,
): Promise<Message> {
  await requireRight(caller);
  await store.unpinChannel({ teamId, channelId, by: caller.person.slackUserId, at: clock() });
  return notice(
    `Commands in ${thisPlace(channelId)} now use the default connection. ${othersUnchanged}`,
  );
}

const othersUnchanged = "Existing watches, mutes, digests and restore drills don't change.";

/** @throws {MissingRight} */
async function requireRight({ person, settings }: Pick<Place, 'person' | 'settings'>) {
  if (isApproverOrAdmin(person, await settings())) return;
  const answer = notice(
    'Only approvers and admins can set the connection of a channel. Nothing was changed.',
  );
  throw new MissingRight(answer, '/belay connection use');
}
