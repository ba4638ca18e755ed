import type { Transaction } from 'kysely';
import type { Database, Tables } from '../../database/tables.ts';
import { type TenantMarks, tenantMarks } from '../../dataprotection/tenant.ts';
import { defaultSettings, type WorkspaceSettings } from '../settings/document.ts';
import type { SetupChange } from '../setup-change.ts';
import type { ConnectionSummary, SavedSetup, Setup } from '../workspace.ts';
import { applySetup, lockSettings, type SetupHandlers } from './save-setup.ts';
import { connectionsInUse, toSettings, toSummary } from './setup-row.ts';
import type { TokenCipher } from './token-cipher.ts';

type Trx = Transaction<Tables>;

/** `token` is undefined if none of the configured keys opens it. */
export type StoredConnection = ConnectionSummary & {
  token: string | undefined;
  tenant: TenantMarks | undefined;
};

/** What is set up in a workspace: its settings, connections, and the channels that use another than the default. */
export type StoredSetup = {
  teamId: string;
  enterpriseId: string | undefined;
  /** The number of saves. */
  revision: number;
  settings: WorkspaceSettings;
  /** The default one, then the others by name; none before the first setup. */
  connections: StoredConnection[];
  pins: { channelId: string; originId: string; owner: string }[];
};

export async function readStoredSetup(
  trx: Trx,
  teamId: string,
  cipher: TokenCipher,
): Promise<StoredSetup> {
  const row = await trx
    .selectFrom('workspace_settings')
    .selectAll()
    .where('team_id', '=', teamId)
    .executeTakeFirst();
  const connections = await connectionsInUse(trx, teamId);
  const pins = await trx
    .selectFrom('channel_connection')
    .selectAll()
    .where('team_id', '=', teamId)
    .execute();
  return {
    teamId,
    enterpriseId: connections[0]?.enterprise_id ?? undefined,
    revision: row?.revision ?? 0,
    settings: row ? toSettings(row) : defaultSettings,
    connections: connections.map((one) => ({
      ...toSummary(one),
      token:
        one.token_sealed === null
          ? undefined
          : cipher.open(one.token_sealed, { teamId, connectionId: one.id }),
      tenant: tenantMarks.safeParse(one.tenant).data,
    })),
    pins: pins.map((pin) => ({
      channelId: pin.channel_id,
      originId: pin.origin_id,
      owner: pin.pinned_by,
    })),
  };
}

/** Makes other saves of the workspaces wait until the transaction ends. */
export async function lockWorkspaces(trx: Trx, teamIds: string[]): Promise<void> {
  // Sorted. Otherwise two transactions could deadlock.
  for (const teamId of teamIds.toSorted()) await lockSettings(trx, teamId);
}

/** Saves one of several changes as the setup does. */
export async function saveConfiguredChange(
  trx: Trx,
  setup: Setup,
  handlers: SetupHandlers & { cipher: TokenCipher },
): Promise<SavedSetup> {
  return applySetup(trx, setup, await lockSettings(trx, setup.teamId), handlers);
}

type NewChange = {
  teamId: string;
  enterpriseId: string | undefined;
  change: SetupChange;
  at: Date;
};

/** Records what the operator has saved, so that the running Belay announces it. */
export async function recordConfiguredChange(
  trx: Trx,
  { teamId, enterpriseId, change, at }: NewChange,
): Promise<void> {
  await trx
    .insertInto('setup_change')
    .values({
      id: change.changeId,
      team_id: teamId,
      enterprise_id: enterpriseId ?? null,
      change: JSON.stringify(change),
      created_at: at,
      saved_at: at,
      announce_at: at,
    })
    .execute();
}

/** Stores a change that waits for approval; `tokens` are sealed for the change. */
export async function addConfiguredChange(
  db: Database,
  cipher: TokenCipher,
  {
    teamId,
    enterpriseId,
    change,
    tokens,
    createdBy,
    at,
  }: NewChange & { tokens: string; createdBy: string },
): Promise<void> {
  await db
    .insertInto('setup_change')
    .values({
      id: change.changeId,
      team_id: teamId,
      enterprise_id: enterpriseId ?? null,
      change: JSON.stringify(change),
      created_by: createdBy,
      created_at: at,
      token_sealed: cipher.seal(tokens, { teamId, connectionId: change.changeId }),
    })
    .execute();
}

/** Another person is responsible for a channel's choice of its connection. */
export async function changePinOwner(
  trx: Trx,
  { teamId, channelId, owner }: { teamId: string; channelId: string; owner: string },
): Promise<void> {
  await trx
    .updateTable('channel_connection')
    .set({ pinned_by: owner })
    .where('team_id', '=', teamId)
    .where('channel_id', '=', channelId)
    .execute();
}
