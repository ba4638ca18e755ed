import type { Transaction } from 'kysely';
import type { Database, Tables } from '../../database/tables.ts';
import { type TenantMarks, tenantMarks } from '../../dataprotection/tenant.ts';
import type { WorkspaceSettings } from '../settings/document.ts';
import type { ConnectionSummary, SavedSetup, Setup } from '../workspace.ts';
import { applySetup, lockSettings, type SetupHandlers } from './save-setup.ts';
import {
  connectionsInUse,
  insertChange,
  type NewChange,
  readSavedSettings,
  toSummary,
} from './setup-row.ts';
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
  const { revision, settings } = await readSavedSettings(trx, teamId);
  const connections = await connectionsInUse(trx, teamId);
  const pins = await trx
    .selectFrom('channel_connection')
    .selectAll()
    .where('team_id', '=', teamId)
    .execute();
  return {
    teamId,
    revision,
    settings,
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

/** Records what the operator has saved, so that the running Belay announces it. */
export function recordConfiguredChange(trx: Trx, added: NewChange): Promise<void> {
  return insertChange(trx, added, { saved_at: added.at, announce_at: added.at });
}

/** Stores a change that waits for approval; `tokens` are sealed for the change. */
export async function addConfiguredChange(
  db: Database,
  cipher: TokenCipher,
  { tokens, createdBy, ...added }: NewChange & { tokens: string; createdBy: string },
): Promise<void> {
  const place = { teamId: added.teamId, connectionId: added.change.changeId };
  const columns = { created_by: createdBy, token_sealed: cipher.seal(tokens, place) };
  await insertChange(db, added, columns);
}
