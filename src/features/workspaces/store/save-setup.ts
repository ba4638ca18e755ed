import type { Selectable, Transaction } from 'kysely';
import type { AppendEntry } from '../../../audit-log/append.ts';
import type { Tables } from '../../../database/tables.ts';
import type { NewConnection, SavedSetup, Setup } from '../workspace.ts';
import { wipeOutdated } from './drop-changes.ts';
import { changedApprovers, setupEntries } from './setup-entries.ts';
import { connectionInUse, toSettings } from './setup-row.ts';
import type { ConnectionTable, WorkspaceSettingsTable } from './tables.ts';
import type { TokenCipher } from './token-cipher.ts';

/** As migration 035 names the connection of each workspace. */
const firstConnectionName = 'main';

type Trx = Transaction<Tables>;
/** `by` is a Slack user id; undefined for the operator. */
type ChangedBy = { teamId: string; by: string | undefined; at: Date };
type RequestRef = { teamId: string; id: string };

/** What else happens in the transaction that saves a setup; `append` comes last. */
export type SetupHandlers = {
  append: AppendEntry;
  /** Resolves to the requests that lose their connection and are void now. */
  onConnectionReplaced: (
    trx: Trx,
    change: ChangedBy & { connectionId: string },
  ) => Promise<RequestRef[]>;
  /** Resolves to the waiting changes of the setup, which are void now. */
  onSetupSaved: (trx: Trx, change: ChangedBy) => Promise<RequestRef[]>;
  onApproversChanged: (trx: Trx, teamId: string) => Promise<void>;
};

/**
 * The settings so far, locked until the transaction ends, so that of two saves at once each records
 * what it changed itself. Creates the row at the first save.
 */
export async function lockSettings(trx: Trx, teamId: string) {
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

/** Saves all of it, with entries in the audit log. `row` has the settings so far, locked. */
export async function applySetup(
  trx: Trx,
  setup: Setup,
  row: Selectable<WorkspaceSettingsTable>,
  { cipher, ...handlers }: SetupHandlers & { cipher: TokenCipher },
): Promise<SavedSetup> {
  const { teamId, connection, settings, savedBy: by, at } = setup;
  const before = toSettings(row);
  const replaced = await connectionInUse(trx, teamId);
  const tokenOwner = replaced?.token_owner ?? undefined;
  const isTokenReplaced = connection !== undefined && connection.id === replaced?.id;
  await saveSettings(trx, setup);
  if (isTokenReplaced) await replaceToken(trx, cipher, { setup, connection });
  else if (connection) await replaceConnection(trx, cipher, { setup, connection, replaced });
  else await saveTokenOwner(trx, setup);
  const onReplaced =
    connection && replaced && !isTokenReplaced
      ? await handlers.onConnectionReplaced(trx, { teamId, connectionId: replaced.id, by, at })
      : [];
  const voided = [...onReplaced, ...(await handlers.onSetupSaved(trx, { teamId, by, at }))];
  // After the requests, in the order in which a request that ends locks its own row and its change.
  await wipeOutdated(trx, { teamId, savedFromViewId: setup.viewId });
  if (changedApprovers(before, settings)) await handlers.onApproversChanged(trx, teamId);
  // Last, because an entry locks the team's log until the transaction ends.
  for (const entry of setupEntries(setup, { ...before, tokenOwner, isTokenReplaced })) {
    await handlers.append(trx, entry);
  }
  return { voided };
}

export async function saveSettings(
  trx: Trx,
  { teamId, settings, viewId }: Pick<Setup, 'teamId' | 'settings' | 'viewId'>,
): Promise<void> {
  await trx
    .updateTable('workspace_settings')
    .set((eb) => ({
      approvals_channel_id: settings.approvalsChannelId ?? null,
      approvers: JSON.stringify(settings.approvers),
      delete_grace_minutes: settings.deleteGraceMinutes,
      users_per_hour: settings.usersPerHour,
      weakening_approvals: settings.weakeningApprovals,
      saved_from_view_id: viewId,
      revision: eb('revision', '+', 1),
    }))
    .where('team_id', '=', teamId)
    .execute();
}

/** A changed owner makes no new connection, so requests that wait for approval stay valid. */
async function saveTokenOwner(trx: Trx, { teamId, tokenOwner }: Setup): Promise<void> {
  await trx
    .updateTable('connection')
    .set({ token_owner: tokenOwner ?? null })
    .where('team_id', '=', teamId)
    .where('replaced_at', 'is', null)
    .where('is_default', '=', true)
    .execute();
}

/** The connection stays, and with it all that refers to it. */
async function replaceToken(
  trx: Trx,
  cipher: TokenCipher,
  {
    setup: { teamId, tokenOwner, savedBy, at },
    connection: { id, token, tenant },
  }: { setup: Setup; connection: NewConnection },
): Promise<void> {
  await trx
    .updateTable('connection')
    .set({
      token_sealed: cipher.seal(token, { teamId, connectionId: id }),
      token_owner: tokenOwner ?? null,
      ...{ tenant: tenant ? JSON.stringify(tenant) : null, expiry_warned_days: null },
      ...{ saved_by: savedBy, saved_at: at },
    })
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .execute();
}

/** Adds the new connection; of the one that it replaces, if any, token and owner are wiped. */
async function replaceConnection(
  trx: Trx,
  cipher: TokenCipher,
  {
    setup: { teamId, enterpriseId, tokenOwner, savedBy, at },
    connection,
    replaced,
  }: {
    setup: Setup;
    connection: NewConnection;
    replaced: Selectable<ConnectionTable> | undefined;
  },
): Promise<void> {
  if (replaced) {
    await trx
      .updateTable('connection')
      .set({ replaced_at: at, token_sealed: null, token_owner: null, tenant: null })
      .where('id', '=', replaced.id)
      .execute();
  }
  await trx
    .insertInto('connection')
    .values({
      id: connection.id,
      team_id: teamId,
      name: replaced?.name ?? firstConnectionName,
      is_default: replaced?.is_default ?? true,
      origin_id: replaced?.origin_id ?? connection.id,
      enterprise_id: enterpriseId ?? null,
      region_id: connection.regionId,
      organizational_unit_id: connection.organizationalUnitId ?? null,
      token_owner: tokenOwner ?? null,
      token_sealed: cipher.seal(connection.token, { teamId, connectionId: connection.id }),
      tenant: connection.tenant ? JSON.stringify(connection.tenant) : null,
      saved_by: savedBy,
      saved_at: at,
    })
    .execute();
}
