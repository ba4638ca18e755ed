import type { Selectable, Transaction } from 'kysely';
import { z } from 'zod';
import type { AppendEntry } from '../../../audit-log/append.ts';
import type { Database } from '../../../database/open-database.ts';
import type { Tables } from '../../../database/tables.ts';
import type {
  Connection,
  ConnectionSummary,
  SaveResult,
  Setup,
  WorkspaceSettings,
} from '../workspace.ts';
import {
  isStale,
  lockSettings,
  replaceConnection,
  saveSettings,
  saveTokenOwner,
} from './save-setup.ts';
import { changedApprovers, setupEntries } from './setup-entries.ts';
import type { ConnectionTable, WorkspaceSettingsTable } from './tables.ts';
import type { TokenCipher } from './token-cipher.ts';

/** What else happens in the transaction that saves a setup; `append` comes last. */
export type SetupHandlers = {
  append: AppendEntry;
  /** Resolves to the requests that lose their connection and are void now. */
  onConnectionReplaced: (
    trx: Transaction<Tables>,
    change: { teamId: string; by: string; at: Date },
  ) => Promise<{ teamId: string; id: string }[]>;
  onApproversChanged: (trx: Transaction<Tables>, teamId: string) => Promise<void>;
};

export type WorkspaceStore = ReturnType<typeof createWorkspaceStore>;

export function createWorkspaceStore(
  db: Database,
  cipher: TokenCipher,
  { append, onConnectionReplaced, onApproversChanged }: SetupHandlers,
) {
  return {
    async describeConnection(teamId: string): Promise<ConnectionSummary | undefined> {
      const row = await connectionInUse(db, teamId);
      return row && toSummary(row);
    },

    /** With the token decrypted; `unreadable` if none of the configured keys opens it. */
    async openConnection(teamId: string): Promise<Connection | 'unreadable' | undefined> {
      const row = await connectionInUse(db, teamId);
      if (!row?.token_sealed) return undefined;
      const token = cipher.open(row.token_sealed, { teamId, connectionId: row.id });
      return token === undefined ? 'unreadable' : { ...toSummary(row), token };
    },

    async readSettings(teamId: string): Promise<WorkspaceSettings> {
      const row = await db
        .selectFrom('workspace_settings')
        .selectAll()
        .where('team_id', '=', teamId)
        .executeTakeFirst();
      return row ? toSettings(row) : defaultSettings;
    },

    /** How often the setup was saved. A form carries it, so that a save in between is noticed. */
    async readRevision(teamId: string): Promise<number> {
      const row = await db
        .selectFrom('workspace_settings')
        .select('revision')
        .where('team_id', '=', teamId)
        .executeTakeFirst();
      return row?.revision ?? 0;
    },

    /**
     * Saves all of it or nothing, with entries in the audit log. A new connection voids the requests
     * that wait for approval on the old one.
     */
    saveSetup: (setup: Setup): Promise<SaveResult> =>
      db.transaction().execute(async (trx) => {
        const { teamId, connection, settings, savedBy: by, at } = setup;
        const row = await lockSettings(trx, teamId);
        if (row.saved_from_view_id === setup.viewId) return { result: 'saved-before' };
        if (isStale(setup, row)) return { result: 'changed-meanwhile' };
        const before = toSettings(row);
        const tokenOwnerBefore = (await connectionInUse(trx, teamId))?.token_owner ?? undefined;

        await saveSettings(trx, setup);
        if (connection) await replaceConnection(trx, cipher, { ...setup, connection });
        else await saveTokenOwner(trx, setup);
        const voided = connection ? await onConnectionReplaced(trx, { teamId, by, at }) : [];
        const approversChange = changedApprovers(before, settings);
        if (approversChange) await onApproversChanged(trx, teamId);
        // Last, because an entry locks the team's log until the transaction ends.
        for (const entry of setupEntries(setup, { ...before, tokenOwner: tokenOwnerBefore })) {
          await append(trx, entry);
        }
        return {
          result: 'saved',
          voided,
          approversChange,
          approvalsChannelBefore: before.approvalsChannelId,
        };
      }),
  };
}

/** The same as the columns' defaults. */
const defaultSettings: WorkspaceSettings = {
  approvalsChannelId: undefined,
  approvers: [],
  deleteGraceMinutes: 30,
  usersPerHour: 10,
};

const approversColumn = z.array(z.string());

function toSettings(row: Selectable<WorkspaceSettingsTable>): WorkspaceSettings {
  return {
    approvalsChannelId: row.approvals_channel_id ?? undefined,
    approvers: approversColumn.parse(row.approvers),
    deleteGraceMinutes: row.delete_grace_minutes,
    usersPerHour: row.users_per_hour,
  };
}

function connectionInUse(db: Database | Transaction<Tables>, teamId: string) {
  return db
    .selectFrom('connection')
    .selectAll()
    .where('team_id', '=', teamId)
    .where('replaced_at', 'is', null)
    .executeTakeFirst();
}

function toSummary(row: Selectable<ConnectionTable>): ConnectionSummary {
  return {
    id: row.id,
    regionId: row.region_id,
    organizationalUnitId: row.organizational_unit_id ?? undefined,
    tokenOwner: row.token_owner ?? undefined,
  };
}
