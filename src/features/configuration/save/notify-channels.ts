import { randomUUID } from 'node:crypto';
import type { Transaction } from 'kysely';
import type { Tables } from '../../../database/tables.ts';
import { enqueueMessages } from '../../../outbox/index.ts';
import type { Item } from '../file/configuration.ts';
import type { ItemChange } from '../plan/compare-items.ts';
import { configurationMessage } from '../views/configuration-message.ts';

/** Enqueues one message for each channel: what a configuration file has changed there. */
export async function notifyChannels(
  trx: Transaction<Tables>,
  { teamId, items, by, at }: { teamId: string; items: ItemChange[]; by: string; at: Date },
): Promise<void> {
  const byChannel = Map.groupBy(items, (change) => itemOf(change).value.channel);
  // Every transaction locks channels in this order. Otherwise two could deadlock.
  for (const channelId of [...byChannel.keys()].toSorted()) {
    const changes = byChannel.get(channelId) ?? [];
    const [first] = changes;
    if (!first) continue;
    const pin = changes.find((change) => itemOf(change).section === 'channels');
    const message = configurationMessage({
      by,
      channelId,
      watches: count(changes, (section) => section !== 'digests' && section !== 'channels'),
      digests: count(changes, (section) => section === 'digests'),
      connection: pin && (pin.kind === 'remove' ? 'default' : pin.after.value.connection),
    });
    const to = { teamId, channelId, ownerSlackUserId: itemOf(first).value.owner };
    await enqueueMessages(trx, to, [{ subject: `configuration:${randomUUID()}`, message }], at);
  }
}

function itemOf(change: ItemChange): Item {
  return change.kind === 'remove' ? change.before : change.after;
}

function count(changes: ItemChange[], isCounted: (section: Item['section']) => boolean) {
  const counted = changes.filter((change) => isCounted(itemOf(change).section));
  const of = (kind: ItemChange['kind']) => counted.filter((one) => one.kind === kind).length;
  return { added: of('add'), changed: of('change'), removed: of('remove') };
}
