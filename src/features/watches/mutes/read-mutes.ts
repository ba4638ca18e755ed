import type { Interaction } from '../../../slack/interactions/interaction.ts';
import { type FindConnection, findAmong } from '../../../workspace/choose-connection.ts';
import { offersAction } from '../../../workspace/permissions.ts';
import type { MuteStore } from '../store/mute-store.ts';
import type { Mute } from './mute.ts';

/** The mutes of a channel, as a person sees them. */
export type ChannelMutes = {
  channelId: string;
  /** The oldest first. */
  mutes: Mute[];
  /** How many alerts each holds, by its id. */
  held: ReadonlyMap<string, number>;
  findConnection: FindConnection;
  mayChange: boolean;
};

export async function readMutes(
  call: Interaction,
  channelId: string,
  store: Pick<MuteStore, 'list' | 'countHeld'>,
): Promise<ChannelMutes> {
  const [mutes, connections, settings] = await Promise.all([
    store.list({ teamId: call.teamId, channelId }),
    call.connections(),
    call.settings(),
  ]);
  return {
    channelId,
    mutes,
    held: await store.countHeld(mutes.map(({ id }) => id)),
    findConnection: findAmong(connections),
    mayChange: offersAction(call.person, settings, 'alerts.mute'),
  };
}
