import { createHash } from 'node:crypto';
import type { Transaction } from 'kysely';
import type { Tables } from '../../database/tables.ts';
import type { Subscription } from '../../subscriptions/subscription.ts';
import { limitsOf } from '../../workspace/limits.ts';
import { readStoredSetup, type StoredSetup } from '../../workspace/store/configured-workspace.ts';
import type { TokenCipher } from '../../workspace/store/token-cipher.ts';
import type { WorkspaceSettings } from '../../workspace/workspace.ts';
import type { AlertSearch } from '../alerts/index.ts';
import { type DigestSettings, digests } from '../digests/index.ts';
import { alertWatches, complianceWatches, policyWatches } from '../watches/index.ts';
import { canonical, canonicalItem } from './file/canonical.ts';
import {
  type ConfiguredDigest,
  type Filter,
  type Item,
  type Workspace,
  weekdayNames,
} from './file/configuration.ts';
import { defaultTokenReference } from './file/write-configuration.ts';

/** An item with its id in the database; the id of the channel, for its connection. */
export type StoredItem = Item & { id: string };

export type StoredWorkspace = {
  setup: StoredSetup;
  /** In canonical form. */
  workspace: Workspace;
  items: StoredItem[];
  /** Changes with every change that a configuration covers, tokens included. */
  hash: string;
};

/** Where an item is. */
type Place = { channel: string; connection: string; owner: string };

/** Reads what is configured in a workspace, which may be nothing yet. */
export async function readStored(
  trx: Transaction<Tables>,
  teamId: string,
  cipher: TokenCipher,
): Promise<StoredWorkspace> {
  const setup = await readStoredSetup(trx, teamId, cipher);
  const names = new Map<string | undefined, string>();
  for (const { originId, name, isDefault } of setup.connections) {
    names.set(originId, name);
    if (isDefault) names.set(undefined, name);
  }
  const toStored = <One extends Pick<Subscription, 'id' | 'channelId' | 'originId' | 'createdBy'>>(
    all: One[],
    toItem: (one: One, place: Place) => Item,
  ) =>
    all.flatMap((one): StoredItem[] => {
      const connection = names.get(one.originId);
      // Items of a removed connection are ignored.
      if (connection === undefined) return [];
      const place = { channel: one.channelId, connection, owner: one.createdBy };
      return [{ id: one.id, ...toItem(one, place) }];
    });
  const pins = setup.pins.map((pin) => ({ ...pin, id: pin.channelId, createdBy: pin.owner }));
  const stored = [
    ...toStored(pins, (_, place) => ({ section: 'channels', value: place })),
    ...toStored(await alertWatches.list(trx, { teamId }), ({ search }, place) => ({
      section: 'alertWatches',
      value: { ...place, filter: toFilter(search) },
    })),
    ...toStored(await complianceWatches.list(trx, { teamId }), ({ policy, maxCount }, place) => ({
      section: 'complianceWatches',
      value: { ...place, policy, above: maxCount },
    })),
    ...toStored(await policyWatches.list(trx, { teamId }), (_, place) => ({
      section: 'policyWatches',
      value: place,
    })),
    ...toStored(await digests.list(trx, { teamId }), ({ settings }, place) => ({
      section: 'digests',
      value: { ...place, ...toDigest(settings) },
    })),
  ];
  const items = stored.map((one) => ({ id: one.id, ...canonicalItem(one) }));
  const workspace = canonical({
    connections: setup.connections.map((one) => ({
      name: one.name,
      region: one.regionId,
      organizationalUnit: one.organizationalUnitId,
      tokenOwner: one.tokenOwner,
      token: defaultTokenReference(teamId, one.name),
      default: one.isDefault || undefined,
    })),
    ...fromSettings(setup.settings),
    channels: items.flatMap((one) => (one.section === 'channels' ? one.value : [])),
    alertWatches: items.flatMap((one) => (one.section === 'alertWatches' ? one.value : [])),
    complianceWatches: items.flatMap((one) =>
      one.section === 'complianceWatches' ? one.value : [],
    ),
    policyWatches: items.flatMap((one) => (one.section === 'policyWatches' ? one.value : [])),
    digests: items.flatMap((one) => (one.section === 'digests' ? one.value : [])),
  });
  return { setup, workspace, items, hash: hashOf(setup, workspace) };
}

function hashOf({ revision, connections }: StoredSetup, workspace: Workspace): string {
  const ids = connections.map(({ id }) => id);
  // A new token counts as a revision.
  const text = JSON.stringify([revision, ids, workspace]);
  return createHash('sha256').update(text).digest('base64url');
}

function fromSettings(settings: WorkspaceSettings) {
  const { approvalsChannelId: approvalsChannel, approvers, access } = settings;
  return { settings: { approvalsChannel, approvers, ...limitsOf(settings) }, ...access };
}

/** As the workspace stores them. */
export function toSettings({
  settings: { approvalsChannel: approvalsChannelId, ...settings },
  roles,
  rules,
  protectedUsers,
}: Workspace): WorkspaceSettings {
  return { ...settings, approvalsChannelId, access: { roles, rules, protectedUsers } };
}

function toFilter({ severities, types, policy, words }: AlertSearch): Filter {
  return { severities, types, policy, words };
}

function toDigest({
  weekdays,
  parts: include,
  whenEmpty: ifEmpty,
  search,
  ...time
}: DigestSettings): Omit<ConfiguredDigest, keyof Place> {
  return {
    ...time,
    include,
    ifEmpty,
    weekdays: weekdays.flatMap((day) => weekdayNames[day - 1] ?? []),
    filter: toFilter(search),
  };
}
