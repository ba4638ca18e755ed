import { randomUUID } from 'node:crypto';
import type { Selectable, Transaction } from 'kysely';
import { appendLast } from '../../audit-log/append.ts';
import type { Operator } from '../../audit-log/entry.ts';
import type { ServedTeams } from '../../database/served-teams.ts';
import type { Database, Tables } from '../../database/tables.ts';
import { tenantMarks } from '../../dataprotection/tenant.ts';
import { TokenUnreadableError } from '../open-service.ts';
import type { WorkspaceSettings } from '../settings/document.ts';
import { definedSettings } from '../settings/settings.ts';
import { type NewSetupChange, type SetupChange, settingsOf } from '../setup-change.ts';
import type { SaveResult, Setup } from '../workspace.ts';
import { type ChangeRef, createAnnouncementStore, parseChange } from './announce-changes.ts';
import { pruneSetupChanges, wipeOutdated, withoutOwners } from './drop-changes.ts';
import { applySetup, lockSettings, type SetupHandlers, saveSettings } from './save-setup.ts';
import { setupEntries } from './setup-entries.ts';
import { connectionsInUse, toSettings, toSummary } from './setup-row.ts';
import type { SetupChangeTable } from './tables.ts';
import type { TokenCipher } from './token-cipher.ts';

type Trx = Transaction<Tables>;

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
    ...createAnnouncementStore(db, isServed),

    /** Stores a change, its token encrypted for the connection that it will make. */
    async addChange({ teamId, enterpriseId, change, token, ...added }: NewSetupChange) {
      const { changeId, connectionId } = change;
      await db
        .insertInto('setup_change')
        .values({
          id: changeId,
          team_id: teamId,
          enterprise_id: enterpriseId ?? null,
          change: JSON.stringify(change),
          token_sealed: token && connectionId ? cipher.seal(token, { teamId, connectionId }) : null,
          tenant: added.tenant ? JSON.stringify(added.tenant) : null,
          created_by: added.createdBy,
          created_at: added.at,
        })
        .execute();
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
    saveChange: ({ savedBy, approval, isAnnounced, at, ...ref }: SaveChange): Promise<SaveResult> =>
      db.transaction().execute(async (trx) => {
        const { teamId } = ref;
        const settings = await lockSettings(trx, teamId);
        const row = await lockChange(trx, ref);
        const change = parseChange(row);
        if (row.saved_at) return { result: 'saved-before' };
        if (settings.revision !== change.basedOn) return { result: 'changed-meanwhile' };
        if (change.configuration) {
          // Before the save, which wipes every change that still waits.
          await markSaved(trx, { ...ref, savedBy, approval, isAnnounced, at });
          const { plan } = change.configuration;
          const tokens = openToken(row, change.changeId, cipher);
          await handlers.onConfigurationApproved?.(trx, {
            teamId,
            plan,
            tokens,
            by: savedBy,
            approval,
            at,
          });
          return { result: 'saved', voided: [] };
        }
        const setup = setupFrom(row, change, cipher);
        const saved = await applySetup(
          trx,
          { ...setup, savedBy, approvalId: approval?.id, at },
          settings,
          { ...handlers, cipher },
        );
        await markSaved(trx, { ...ref, savedBy, approval, isAnnounced, at });
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
        await trx
          .insertInto('setup_change')
          .values({
            id: changeId,
            team_id: teamId,
            change: JSON.stringify(change),
            created_at: at,
            saved_at: at,
            announce_at: at,
          })
          .execute();
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

    /** Once an hour is enough. */
    pruneChanges: (now: Date): Promise<void> => pruneSetupChanges(db, { now, isServed }),
  };
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
  const { team_id: teamId, enterprise_id } = row;
  const token = connectionId && openToken(row, connectionId, cipher);
  const { regionId, organizationalUnitId } = after;
  const tenant = tenantMarks.safeParse(row.tenant).data;
  return {
    teamId,
    enterpriseId: enterprise_id ?? undefined,
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
