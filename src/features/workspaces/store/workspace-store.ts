import type { Selectable, Transaction } from 'kysely';
import type { AppendToLog } from '../../../audit-log/append.ts';
import type { Database } from '../../../database/open-database.ts';
import type { ConnectionTable, Tables, WorkspaceSettingsTable } from '../../../database/tables.ts';
import type {
  ConnectionSummary,
  Setup,
  WorkspaceSettings,
  WorkspaceStore,
} from '../workspace-store.ts';
import { replaceConnection, saveTokenOwner } from './save-connection.ts';
import { changedApprovers, setupEntries } from './setup-entries.ts';
import type { TokenCipher } from './token-cipher.ts';

/** What else happens in the transaction that saves a setup; `append` comes last. */
export type SetupHandlers = {
  append: AppendToLog;
  /** Resolves to the requests that lose their connection and are void now. */
  onConnectionReplaced: (
    trx: Transaction<Tables>,
    change: { teamId: string; by: string; at: Date },
  ) => Promise<{ teamId: string; id: string }[]>;
  onApproversChanged: (trx: Transaction<Tables>, teamId: string) => Promise<void>;
};

/** Connections and settings in PostgreSQL; `WorkspaceStore` has the rules. */
export function createWorkspaceStore(
  db: Database,
  cipher: TokenCipher,
  { append, onConnectionReplaced, onApproversChanged }: SetupHandlers,
): WorkspaceStore {
  return {
    async describeConnection(teamId) {
      const row = await connectionInUse(db, teamId);
      return row && summarize(row);
    },

    async openConnection(teamId) {
      const row = await connectionInUse(db, teamId);
      if (!row?.token_sealed) return undefined;
      const token = cipher.open(row.token_sealed, { teamId, connectionId: row.id });
      return token === undefined ? 'unreadable' : { ...summarize(row), token };
    },

    async readSettings(teamId) {
      const row = await db
        .selectFrom('workspace_settings')
        .selectAll()
        .where('team_id', '=', teamId)
        .executeTakeFirst();
      return row ? settingsOf(row) : settingsBeforeSetup;
    },

    async readRevision(teamId) {
      const row = await db
        .selectFrom('workspace_settings')
        .select('revision')
        .where('team_id', '=', teamId)
        .executeTakeFirst();
      return row?.revision ?? 0;
    },

    saveSetup: (setup) =>
      db.transaction().execute(async (trx) => {
        const { teamId, connection, settings, savedBy: by, at } = setup;
        const row = await holdSettings(trx, teamId);
        if (row.saved_from_view_id === setup.viewId) return { result: 'saved-before' };
        if (isStale(setup, row)) return { result: 'changed-meanwhile' };
        const before = settingsOf(row);
        const tokenOwnerBefore = (await connectionInUse(trx, teamId))?.token_owner ?? undefined;

        await saveSettings(trx, setup);
        if (connection) await replaceConnection(trx, cipher, { ...setup, connection });
        else await saveTokenOwner(trx, setup);
        const voided = connection ? await onConnectionReplaced(trx, { teamId, by, at }) : [];
        const approversChange = changedApprovers(before, settings);
        if (approversChange) await onApproversChanged(trx, teamId);
        // Last, because an entry holds the team's log until the transaction ends.
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

/** As the columns' defaults have them. */
const settingsBeforeSetup: WorkspaceSettings = {
  approvalsChannelId: undefined,
  approvers: [],
  deleteGraceMinutes: 30,
  usersPerHour: 10,
};

function settingsOf(row: Selectable<WorkspaceSettingsTable>): WorkspaceSettings {
  return {
    approvalsChannelId: row.approvals_channel_id ?? undefined,
    approvers: row.approvers,
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

function summarize(row: Selectable<ConnectionTable>): ConnectionSummary {
  return {
    id: row.id,
    regionId: row.region_id,
    organizationalUnitId: row.organizational_unit_id ?? undefined,
    tokenOwner: row.token_owner ?? undefined,
  };
}

/**
 * The settings so far, held until the transaction ends, so that two saves at once follow each other
 * and each tells truly what it changed. A first save makes the row that it holds.
 */
async function holdSettings(trx: Transaction<Tables>, teamId: string) {
  await trx
    .insertInto('workspace_settings')
    .values({ team_id: teamId, approvers: '[]' })
    .onConflict((conflict) => conflict.column('team_id').doNothing())
    .execute();
  return trx
    .selectFrom('workspace_settings')
    .selectAll()
    .where('team_id', '=', teamId)
    .forUpdate()
    .executeTakeFirstOrThrow();
}

/** Whether somebody else has saved since the form was filled. */
function isStale({ basedOn }: Setup, row: Selectable<WorkspaceSettingsTable>): boolean {
  if (basedOn === undefined) return false;
  const current = typeof basedOn === 'string' ? (row.saved_from_view_id ?? '') : row.revision;
  return basedOn !== current;
}

async function saveSettings(trx: Transaction<Tables>, { teamId, settings, viewId }: Setup) {
  await trx
    .updateTable('workspace_settings')
    .set((eb) => ({
      approvals_channel_id: settings.approvalsChannelId ?? null,
      approvers: JSON.stringify(settings.approvers),
      delete_grace_minutes: settings.deleteGraceMinutes,
      users_per_hour: settings.usersPerHour,
      saved_from_view_id: viewId,
      revision: eb('revision', '+', 1),
    }))
    .where('team_id', '=', teamId)
    .execute();
}
