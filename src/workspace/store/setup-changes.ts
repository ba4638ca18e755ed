import { randomUUID } from 'node:crypto';
import type { Selectable, Transaction } from 'kysely';
import { appendLast } from '../../audit-log/append.ts';
import type { Operator } from '../../audit-log/entry.ts';
import type { Lease } from '../../database/leases.ts';
import { parseEach, type UnreadableRowError } from '../../database/parse-rows.ts';
import type { ServedTeams } from '../../database/served-teams.ts';
import type { Database, Tables } from '../../database/tables.ts';
import { tenantMarks } from '../../dataprotection/tenant.ts';
import { whileTeamLeased } from '../../replicas/team-lease.ts';
import { TokenUnreadableError } from '../open-service.ts';
import type { WorkspaceSettings } from '../settings/document.ts';
import { definedSettings } from '../settings/settings.ts';
import {
  type NewSetupChange,
  type SavedChange,
  type SetupChange,
  settingsOf,
} from '../setup-change.ts';
import type { SaveResult, Setup } from '../workspace.ts';
import { recordConfiguredChange } from './configured-workspace.ts';
import { pruneSetupChanges, wipeOutdated, withoutOwners } from './drop-changes.ts';
import { applySetup, lockSettings, type SetupHandlers, saveSettings } from './save-setup.ts';
import { setupEntries } from './setup-entries.ts';
import { connectionsInUse, insertChange, parseChange, toSettings, toSummary } from './setup-row.ts';
import type { SetupChangeTable } from './tables.ts';
import type { TokenCipher } from './token-cipher.ts';

type Trx = Transaction<Tables>;

type ChangeRef = { teamId: string; changeId: string };

/** In one call: the rest follow in the next one. */
const maxTeams = 200;

type SaveChange = ChangeRef & {
  savedBy: string;
  /** The request and who approved it, if it took one. */
  approval?: { id: string; approvedBy: string | undefined } | undefined;
  /** Whether approvers and admins are notified of the change. */
  isAnnounced: boolean;
  at: Date;
};

/** Changes of the setup that wait for a confirmation or an approval, and those to be announced. */
export function createSetupChangeStore(
  db: Database,
  cipher: TokenCipher,
  { isServed, ...handlers }: SetupHandlers & { isServed: ServedTeams },
) {
  return {
    /** Stores a change, its token encrypted for the connection that it will make. */
    async addChange({ token, tenant, createdBy, ...added }: NewSetupChange): Promise<void> {
      const { teamId, change } = added;
      const { connectionId } = change;
      await insertChange(db, added, {
        token_sealed: token && connectionId ? cipher.seal(token, { teamId, connectionId }) : null,
        tenant: tenant ? JSON.stringify(tenant) : null,
        created_by: createdBy,
      });
    },

    /** A change that was not saved yet, for the admin whose form it was. */
    async findChange(
      { teamId, changeId }: ChangeRef,
      createdBy: string,
    ): Promise<SetupChange | undefined> {
      const row = await db
        .selectFrom('setup_change')
        .select(['id', 'team_id', 'change'])
        .where('team_id', '=', teamId)
        .where('id', '=', changeId)
        .where('created_by', '=', createdBy)
        .where('saved_at', 'is', null)
        .executeTakeFirst();
      return row && parseChange(row);
    },

    async isChangeSaved({ teamId, changeId }: ChangeRef): Promise<boolean> {
      const row = await db
        .selectFrom('setup_change')
        .select('saved_at')
        .where('team_id', '=', teamId)
        .where('id', '=', changeId)
        .executeTakeFirst();
      return row !== undefined && row.saved_at !== null;
    },

    /** Saves a stored change once, unless the setup was saved since. @throws if it is gone. */
    saveChange: (saving: SaveChange): Promise<SaveResult> =>
      db.transaction().execute(async (trx) => {
        const { teamId, savedBy, approval, at } = saving;
        const settings = await lockSettings(trx, teamId);
        const row = await lockChange(trx, saving);
        const change = parseChange(row);
        if (row.saved_at) return { result: 'saved-before' };
        if (settings.revision !== change.basedOn) return { result: 'changed-meanwhile' };
        if (change.configuration) {
          // Before the save, which wipes every change that still waits.
          await markSaved(trx, saving);
          const { plan } = change.configuration;
          const tokens = openToken(row, change.changeId, cipher);
          const approved = { teamId, plan, tokens, by: savedBy, approval, at };
          await handlers.onConfigurationApproved?.(trx, approved);
          return { result: 'saved', voided: [] };
        }
        const values = setupFrom(row, change, cipher);
        const setup = { ...values, savedBy, approvalId: approval?.id, at };
        const saved = await applySetup(trx, setup, settings, { ...handlers, cipher });
        await markSaved(trx, saving);
        return { result: 'saved', ...saved };
      }),

    /**
     * The operator's way out of a lock-out, without anybody's approval: logged with who they are, and
     * announced by the running Belay. Undefined for a workspace that was never set up.
     */
    saveByOperator: ({
      teamId,
      at,
      by: operator,
      ...wanted
    }: { teamId: string; at: Date; by: Operator } & Partial<
      Pick<WorkspaceSettings, 'approvers' | 'approvalsChannel'>
    >): Promise<SetupChange | undefined> =>
      db.transaction().execute(async (trx) => {
        const inUse = await connectionsInUse(trx, teamId);
        const connection = inUse.find((row) => row.is_default);
        if (!connection) return undefined;
        const row = await lockSettings(trx, teamId);
        const before = toSettings(row);
        const settings = { ...before, ...wanted };
        const changeId = randomUUID();
        await saveSettings(trx, { teamId, settings, viewId: changeId });
        const { regionId, organizationalUnitId, tokenOwner } = toSummary(connection);
        const common = { regionId, regionLabel: regionId, organizationalUnitId };
        const change: SetupChange = {
          changeId,
          basedOn: row.revision,
          hasNewToken: false,
          before: { ...common, ...before },
          after: { ...common, ...settings },
        };
        await recordConfiguredChange(trx, { teamId, change, at });
        await appendLast(trx, handlers.append, async (append) => {
          await handlers.onSetupSaved(trx, { teamId, by: undefined, at, append });
          await wipeOutdated(trx, { teamId, savedFromViewId: changeId });
          if (definedSettings.approvers.compare(before, settings))
            await handlers.onApproversChanged(trx, teamId);
          const saved = { teamId, at, settings, tokenOwner, connection: undefined };
          for (const entry of setupEntries({ ...saved, operator }, { ...before, connection })) {
            await append(trx, entry);
          }
        });
        return change;
      }),

    /** Workspaces with saved changes whose announcement is due. */
    listUnannounced: (now: Date): Promise<{ teamId: string }[]> =>
      db
        .selectFrom('setup_change')
        .select('team_id as teamId')
        .distinct()
        .where('announce_at', '<=', now)
        .where(isServed('setup_change.team_id'))
        .limit(maxTeams)
        .execute(),

    /** Calls `work`, unless another process announces the changes of the workspace. */
    whileAnnouncing: (teamId: string, lease: Lease, work: () => Promise<void>): Promise<void> =>
      whileTeamLeased(db, { teamId, work: 'setup.announce' }, lease, work),

    /** The saved changes of one of them. */
    async findUnannounced(teamId: string, now: Date) {
      const rows = await db
        .selectFrom('setup_change')
        .selectAll()
        .where('team_id', '=', teamId)
        .where('announce_at', '<=', now)
        .orderBy('announce_at')
        .limit(20)
        .execute();
      return parseEach(
        rows,
        (row): SavedChange => ({
          teamId,
          change: parseChange(row),
          savedAt: row.saved_at ?? row.created_at,
          savedBy: row.saved_by ?? undefined,
          approvedBy: row.approved_by ?? undefined,
        }),
      );
    },

    /** Enqueues the announcement once, however many processes try; then the addresses are wiped. */
    announce: (
      { teamId, changeId }: ChangeRef,
      enqueue: (trx: Transaction<Tables>) => Promise<unknown>,
    ): Promise<void> =>
      db.transaction().execute(async (trx) => {
        const row = await trx
          .updateTable('setup_change')
          .set({ announce_at: null, change: withoutOwners })
          .where('team_id', '=', teamId)
          .where('id', '=', changeId)
          .where('announce_at', 'is not', null)
          .returning('id')
          .executeTakeFirst();
        if (row) await enqueue(trx);
      }),

    async postponeAnnouncement({ teamId, changeId }: ChangeRef, until: Date): Promise<void> {
      await db
        .updateTable('setup_change')
        .set({ announce_at: until })
        .where('team_id', '=', teamId)
        .where('id', '=', changeId)
        .where('announce_at', 'is not', null)
        .execute();
    },

    /** Once an hour is enough. */
    pruneChanges: (now: Date): Promise<void> => pruneSetupChanges(db, { now, isServed }),
  };
}

/** The changes of a workspace that can't be read. */
export async function listUnreadableChanges(
  db: Database,
  teamId: string,
): Promise<UnreadableRowError[]> {
  const rows = await db
    .selectFrom('setup_change')
    .select(['id', 'team_id', 'change'])
    .where('team_id', '=', teamId)
    .where((eb) => eb.or([eb('announce_at', 'is not', null), eb('saved_at', 'is', null)]))
    .execute();
  return parseEach(rows, parseChange).unreadable;
}

function lockChange(trx: Trx, { teamId, changeId }: ChangeRef) {
  return trx
    .selectFrom('setup_change')
    .selectAll()
    .where('team_id', '=', teamId)
    .where('id', '=', changeId)
    .forUpdate()
    .executeTakeFirstOrThrow();
}

async function markSaved(
  trx: Trx,
  { teamId, changeId, savedBy, approval, isAnnounced, at }: SaveChange,
): Promise<void> {
  await trx
    .updateTable('setup_change')
    .set({
      token_sealed: null,
      tenant: null,
      saved_at: at,
      saved_by: savedBy,
      approved_by: approval?.approvedBy ?? null,
      ...(isAnnounced ? { announce_at: at } : { change: withoutOwners }),
    })
    .where('team_id', '=', teamId)
    .where('id', '=', changeId)
    .execute();
}

/** @throws if no configured key opens it */
function openToken(
  { team_id: teamId, token_sealed }: Selectable<SetupChangeTable>,
  connectionId: string,
  cipher: TokenCipher,
): string {
  const token = cipher.open(token_sealed ?? '', { teamId, connectionId });
  if (!token) throw new TokenUnreadableError("the token of a change can't be decrypted");
  return token;
}

/** Exactly the values that were shown, and the token. @throws if no configured key opens it. */
function setupFrom(
  row: Selectable<SetupChangeTable>,
  change: SetupChange,
  cipher: TokenCipher,
): Omit<Setup, 'savedBy' | 'at'> {
  const { changeId, basedOn, target, connectionId, after, tokenOwnerAfter: tokenOwner } = change;
  const token = connectionId && openToken(row, connectionId, cipher);
  const { regionId, organizationalUnitId } = after;
  const tenant = tenantMarks.safeParse(row.tenant).data;
  return {
    teamId: row.team_id,
    viewId: changeId,
    basedOn,
    connection:
      connectionId && token
        ? { id: connectionId, regionId, organizationalUnitId, token, tenant }
        : undefined,
    target,
    tokenOwner,
    settings: settingsOf(change),
  };
}
