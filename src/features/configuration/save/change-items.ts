import type { Transaction } from 'kysely';
import type { AppendEntry } from '../../../audit-log/append.ts';
import type { Tables } from '../../../database/tables.ts';
import { addDigest, changeDigest, type DigestSettings, endDigest } from '../../digests/index.ts';
import {
  type Anchor,
  addAlertWatch,
  addComplianceWatch,
  addPolicyWatch,
  changeComplianceWatch,
  changeWatchOwner,
  endAlertWatch,
  endOtherWatch,
} from '../../watches/index.ts';
import { changePinOwner, pinChannel, unpinChannel } from '../../workspaces/index.ts';
import { type ConfiguredDigest, type Item, toSearch, weekdayNames } from '../file/configuration.ts';
import type { StoredItem } from '../read-stored.ts';

type Trx = Transaction<Tables>;

export type ItemContext = {
  teamId: string;
  enterpriseId: string | undefined;
  /** Slack user id. */
  by: string;
  at: Date;
  append: AppendEntry;
};

export async function removeItem(
  trx: Trx,
  { section, id, value }: StoredItem,
  { append, ...context }: ItemContext,
): Promise<void> {
  const ref = { ...context, id };
  switch (section) {
    case 'channels':
      return unpinChannel(trx, append, { ...context, channelId: value.channel });
    case 'alertWatches':
      return endAlertWatch(trx, ref);
    case 'complianceWatches':
      return endOtherWatch(trx, 'compliance_watch', ref);
    case 'policyWatches':
      return endOtherWatch(trx, 'policy_watch', ref);
    case 'digests':
      return endDigest(trx, ref);
  }
}

/** The connection in use that an item is on. */
type ItemConnection = { id: string; originId: string; anchor: Anchor | undefined };

/** @throws if it is an alert watch and the connection has no anchor */
export async function addItem(
  trx: Trx,
  { section, value }: Item,
  { id: connectionId, originId, anchor }: ItemConnection,
  { append, ...context }: ItemContext,
): Promise<void> {
  const placed = { ...context, channelId: value.channel, originId, owner: value.owner };
  switch (section) {
    case 'channels':
      await pinChannel(trx, append, { ...placed, name: value.connection });
      return changePinOwner(trx, placed);
    case 'alertWatches': {
      if (!anchor) throw new Error('the anchor of a new watch is missing');
      const search = toSearch(value.filter);
      return addAlertWatch(trx, { ...placed, connectionId, search, anchor });
    }
    case 'complianceWatches':
      return addComplianceWatch(trx, { ...placed, policy: value.policy, maxCount: value.above });
    case 'policyWatches':
      return addPolicyWatch(trx, placed);
    case 'digests':
      return addDigest(trx, { ...placed, settings: toDigestSettings(value) });
  }
}

export async function changeItem(
  trx: Trx,
  { before, after }: { before: StoredItem; after: Item },
  { originId }: ItemConnection,
  { append, ...context }: ItemContext,
): Promise<void> {
  const { section, value } = after;
  const { channel: channelId, owner } = value;
  const changed = { ...context, id: before.id, channelId, originId, owner };
  switch (section) {
    case 'channels':
      await pinChannel(trx, append, { ...changed, name: value.connection });
      return changePinOwner(trx, changed);
    case 'alertWatches':
      return changeWatchOwner(trx, 'watch', changed);
    case 'complianceWatches': {
      const { policy, above: maxCount } = value;
      return changeComplianceWatch(trx, { ...changed, policy, maxCount });
    }
    case 'policyWatches':
      return changeWatchOwner(trx, 'policy_watch', changed);
    case 'digests':
      return changeDigest(trx, { ...changed, settings: toDigestSettings(value) });
  }
}

function toDigestSettings(digest: ConfiguredDigest): DigestSettings {
  const { time, timeZone, weekdays, include: parts, ifEmpty: whenEmpty, filter } = digest;
  return {
    time,
    timeZone,
    parts,
    whenEmpty,
    search: toSearch(filter),
    weekdays: weekdays.map((day) => weekdayNames.indexOf(day) + 1),
  };
}
