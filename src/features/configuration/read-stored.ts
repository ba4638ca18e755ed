import { createHash } from 'node:crypto';
import type { Transaction } from 'kysely';
import type { Tables } from '../../database/tables.ts';
import type { AlertSearch } from '../alerts/index.ts';
import { type DigestItem, readConfiguredDigests } from '../digests/index.ts';
import { readConfiguredWatches } from '../watches/index.ts';
import {
  readStoredSetup,
  type StoredSetup,
  type TokenCipher,
  type WorkspaceSettings,
} from '../workspaces/index.ts';
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

/** Reads what is configured in a workspace, which may be nothing yet. */
export async function readStored(
  trx: Transaction<Tables>,
  teamId: string,
  cipher: TokenCipher,
): Promise<StoredWorkspace> {
  const setup = await readStoredSetup(trx, teamId, cipher);
  const watches = await readConfiguredWatches(trx, teamId);
  const digests = await readConfiguredDigests(trx, teamId);
  const names = new Map(setup.connections.map(({ originId, name }) => [originId, name]));
  const place = (one: { channelId: string; originId: string; owner: string }) => {
    const connection = names.get(one.originId) ?? '';
    return { channel: one.channelId, connection, owner: one.owner };
  };
  // Items of a removed connection are ignored.
  const isListed = ({ originId }: { originId: string }) => names.has(originId);
  const stored: StoredItem[] = [
    ...setup.pins.filter(isListed).map((pin) => ({
      section: 'channels' as const,
      id: pin.channelId,
      value: place(pin),
    })),
    ...watches.alerts.filter(isListed).map((one) => ({
      section: 'alertWatches' as const,
      id: one.id,
      value: { ...place(one), filter: toFilter(one.search) },
    })),
    ...watches.compliance.filter(isListed).map((one) => ({
      section: 'complianceWatches' as const,
      id: one.id,
      value: { ...place(one), policy: one.policy, above: one.maxCount },
    })),
    ...watches.policies.filter(isListed).map((one) => ({
      section: 'policyWatches' as const,
      id: one.id,
      value: place(one),
    })),
    ...digests.filter(isListed).map((one) => ({
      section: 'digests' as const,
      id: one.id,
      value: { ...place(one), ...toDigest(one) },
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
  const { deleteGraceMinutes, usersPerHour, weakeningApprovals } = settings;
  const limits = { deleteGraceMinutes, usersPerHour, weakeningApprovals };
  return { settings: { approvalsChannel, approvers, ...limits }, ...access };
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
  settings,
}: DigestItem): Omit<ConfiguredDigest, 'channel' | 'connection' | 'owner'> {
  const { time, weekdays, timeZone, parts: include, whenEmpty: ifEmpty, search } = settings;
  return {
    time,
    timeZone,
    include,
    ifEmpty,
    weekdays: weekdays.flatMap((day) => weekdayNames[day - 1] ?? []),
    filter: toFilter(search),
  };
}
