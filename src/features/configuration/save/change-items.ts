import { randomUUID } from 'node:crypto';
import type { Transaction } from 'kysely';
import type { AppendEntry } from '../../../audit-log/append.ts';
import type { Tables } from '../../../database/tables.ts';
import { SetupChangedError } from '../../../workspace/open-settings.ts';
import { changePinOwner } from '../../../workspace/store/configured-workspace.ts';
import { pinChannel, unpinChannel } from '../../../workspace/store/pin-channel.ts';
import {
  changeDigest,
  type DigestSettings,
  digests,
  firstPeriodStart,
  insertDigest,
  nextRun,
} from '../../digests/index.ts';
import {
  type Anchor,
  alertWatches,
  changeComplianceWatch,
  complianceWatches,
  insertAlertWatch,
  insertComplianceWatch,
  lockPoll,
  policyWatches,
} from '../../watches/index.ts';
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
  if (section === 'channels') {
    return unpinChannel(trx, append, { ...context, channelId: value.channel });
  }
  const { teamId } = context;
  const kinds = { alertWatches, complianceWatches, policyWatches, digests };
  await kinds[section].end(trx, { teamId, id }, context);
}

/** The connection in use that an item is on. */
type ItemConnection = { id: string; originId: string; anchor: Anchor | undefined };

/**
 * Adds an item, or changes the stored one.
 * @throws if a new alert watch is on a connection without an anchor
 * @throws {SetupChangedError} if the channel got an equal one after the plan was made, or it ended
 */
export async function saveItem(
  trx: Trx,
  { before, after: { section, value } }: { before?: StoredItem; after: Item },
  { id: connectionId, originId, anchor }: ItemConnection,
  { append, ...context }: ItemContext,
): Promise<void> {
  const { teamId, enterpriseId, by, at } = context;
  const { channel: channelId, owner: createdBy } = value;
  const id = before?.id ?? randomUUID();
  const ref = { teamId, id };
  const owner = { created_by: createdBy };
  const added = { ...ref, enterpriseId, originId, channelId, createdBy, at };
  switch (section) {
    case 'channels':
      await pinChannel(trx, append, { ...context, channelId, originId, name: value.connection });
      return changePinOwner(trx, { teamId, channelId, owner: createdBy });
    case 'alertWatches': {
      if (before) return requireSaved(await alertWatches.change(trx, ref, owner));
      if (!anchor) throw new Error('the anchor of a new watch is missing');
      await lockPoll(trx, { teamId, connectionId, at });
      const search = toSearch(value.filter);
      return requireSaved(await insertAlertWatch(trx, { ...added, connectionId, search, anchor }));
    }
    case 'complianceWatches': {
      const watch = { ...added, policy: value.policy, maxCount: value.above };
      return requireSaved(
        before
          ? await changeComplianceWatch(trx, { ...watch, by })
          : await insertComplianceWatch(trx, { ...watch, count: undefined }),
      );
    }
    case 'policyWatches':
      return requireSaved(
        before
          ? await policyWatches.change(trx, ref, owner)
          : await policyWatches.insert(trx, added, {}),
      );
    case 'digests': {
      const settings = toDigestSettings(value);
      if (before) {
        const digest = await digests.findLocked(trx, ref);
        const change = { settings, createdBy, by, at };
        return requireSaved(digest && (await changeDigest(trx, digest, change)));
      }
      const digest = {
        ...added,
        settings,
        sourceViewId: `configuration:${id}`,
        nextRunAt: nextRun(settings, at),
        coveredUntil: firstPeriodStart(at),
      };
      return requireSaved(await insertDigest(trx, digest));
    }
  }
}

function requireSaved(item: object | undefined): void {
  if (!item) throw new SetupChangedError('a watch or digest was added or ended meanwhile');
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
