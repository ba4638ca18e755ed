import { changePinOwner, pinChannel, unpinChannel } from '../../../workspace/store/pin-channel.ts';
import { defineSection, placed, placedItem } from './define-section.ts';

/** Channels that use another connection than the default. */
export const channelSection = defineSection({
  name: 'channels',
  family: 'connection',
  schema: placedItem,
  canonical: placed,
  identity: () => [],
  list: async (_, { pins }) =>
    pins.map((pin) => ({ ...pin, id: pin.channelId, createdBy: pin.owner })),
  toValue: (place) => place,
  remove: (trx, { id: channelId }, { append, ...context }) =>
    unpinChannel(trx, append, { ...context, channelId }),
  async save(trx, channel, { append, ...pin }) {
    await pinChannel(trx, append, { ...pin, name: channel.connection });
    await changePinOwner(trx, { ...pin, owner: channel.owner });
    return channel;
  },
});
