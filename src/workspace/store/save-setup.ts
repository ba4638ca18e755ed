import type { Selectable, Transaction } from 'kysely';
import { type AppendEntry, appendLast } from '../../audit-log/append.ts';
import type { Tables } from '../../database/tables.ts';
import { addMilliseconds } from '../../dates.ts';
import { changedApprovals } from '../compare-rules.ts';
import { workspaceSettings } from '../settings/document.ts';
import { definedSettings } from '../settings/settings.ts';
import type { Finishing, SavedSetup, Setup } from '../workspace.ts';
import { wipeOutdated } from './drop-changes.ts';
import {
  type ChangedBy,
  type ConnectionHandlers,
  type RequestRef,
  saveConnection,
} from './save-connection.ts';
import { setupEntries } from './setup-entries.ts';
import { toFinishing, toSettings } from './setup-row.ts';
import type { WorkspaceSettingsTable } from './tables.ts';
import type { TokenCipher } from './token-cipher.ts';

type Trx = Transaction<Tables>;

/** The actions that other people have to approve from now on. */
type ChangedRules = { changedRules?: string[] };

/** What else happens in the transaction that saves a setup. */
export type SetupHandlers = ConnectionHandlers & {
  append: AppendEntry;
  /** Resolves to what is void now: waiting changes of the setup, and requests with a changed rule. */
  onSetupSaved: (trx: Trx, change: ChangedBy & ChangedRules) => Promise<RequestRef[]>;
  onApproversChanged: (trx: Trx, teamId: string) => Promise<void>;
  /** Saves what a configuration file changes, once that is approved. @throws SetupChangedError */
  onConfigurationApproved?: (trx: Trx, approved: ApprovedConfiguration) => Promise<void>;
};

type ApprovedConfiguration = {
  teamId: string;
  /** As it was stored with the change. */
  plan: unknown;
  /** JSON: tokens by the ids of their connections. */
  tokens: string;
  /** The admin who requested it. */
  by: string;
  approval: { id: string; approvedBy: string | undefined } | undefined;
  at: Date;
};

/**
 * The settings so far, locked until the transaction ends, so that of two saves at once each records
 * what it changed itself. Creates the row at the first save. Locks the connections as well: a save
 * locks, in this order, the settings, all connections, requests, and the audit log at the end. An
 * approval locks the connections (if it counts toward a limit), its request, and the log; a new request
 * its connection, itself, and the log; a stand-in the settings, itself, all pending requests, and the
 * log. So none of them ever waits for one that waits for it.
 */
export async function lockSettings(trx: Trx, teamId: string) {
  await trx
    .insertInto('workspace_settings')
    .values({ team_id: teamId })
    .onConflict((conflict) => conflict.column('team_id').doNothing())
    .execute();
  const settings = await lockSavedSettings(trx, teamId).executeTakeFirstOrThrow();
  await lockConnections(trx, teamId);
  return settings;
}

/** Locks the settings alone, if there are any: comes before whatever changes all pending requests. */
export function lockSavedSettings(trx: Trx, teamId: string) {
  return trx.selectFrom('workspace_settings').selectAll().where('team_id', '=', teamId).forUpdate();
}

/** Locks all connections in use, always in one order. */
export async function lockConnections(trx: Trx, teamId: string): Promise<void> {
  await trx
    .selectFrom('connection')
    .select('id')
    .where('team_id', '=', teamId)
    .where('replaced_at', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute();
}

/** Saves all of it, with entries in the audit log. `row` has the settings so far, locked. */
export function applySetup(
  trx: Trx,
  setup: Setup,
  row: Selectable<WorkspaceSettingsTable>,
  { cipher, ...handlers }: SetupHandlers & { cipher: TokenCipher },
): Promise<SavedSetup> {
  const { teamId, settings, savedBy: by, at } = setup;
  const before = toSettings(row);
  return appendLast(trx, handlers.append, async (append) => {
    await saveSettings(trx, { ...setup, finishing: finishingAfter(setup, row) });
    const saved = await saveConnection(trx, setup, { ...handlers, append, cipher });
    if (setup.connection || setup.target) await handlers.onConnectionsChanged(trx, { teamId, at });
    const changedRules = changedApprovals(before.access, settings.access);
    const outdated = await handlers.onSetupSaved(trx, { teamId, by, at, append, changedRules });
    // After the requests, in the order in which a request that ends locks its own row and its change.
    await wipeOutdated(trx, { teamId, savedFromViewId: setup.viewId });
    if (definedSettings.approvers.compare(before, settings))
      await handlers.onApproversChanged(trx, teamId);
    for (const entry of setupEntries(setup, { ...before, ...saved, connection: saved.before })) {
      await append(trx, entry);
    }
    return { voided: [...saved.voided, ...outdated] };
  });
}

const finishingMs = 3_600_000;

/** Begins with the first save by a person, and goes on while nobody else could rely on the settings. */
function finishingAfter(
  { savedBy, operator, approvalId, settings, at }: Setup,
  row: Selectable<WorkspaceSettingsTable>,
): Finishing | undefined {
  if (operator || approvalId || settings.approvers.length > 0) return undefined;
  if (row.revision === 0) return { by: savedBy, until: addMilliseconds(at, finishingMs) };
  const finishing = toFinishing(row);
  return finishing?.by === savedBy ? finishing : undefined;
}

export async function saveSettings(
  trx: Trx,
  {
    teamId,
    settings,
    viewId,
    finishing,
  }: Pick<Setup, 'teamId' | 'settings' | 'viewId'> & { finishing?: Finishing | undefined },
): Promise<void> {
  await trx
    .updateTable('workspace_settings')
    .set((eb) => ({
      settings: JSON.stringify(workspaceSettings.parse(settings)),
      saved_from_view_id: viewId,
      revision: eb('revision', '+', 1),
      finishing_by: finishing?.by ?? null,
      finishing_until: finishing?.until ?? null,
    }))
    .where('team_id', '=', teamId)
    .execute();
}
