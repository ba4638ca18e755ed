import type { Transaction } from 'kysely';
import type { AppendEntry } from '../../audit-log/append.ts';
import type { AuditEntry, Operator } from '../../audit-log/entry.ts';
import type { Database } from '../../database/open-database.ts';
import type { Tables } from '../../database/tables.ts';
import type { ApprovalRef, TransactionHooks } from '../approvals/index.ts';
import { recordHomeChange } from '../home/index.ts';
import { isAnnounced } from '../setup/index.ts';
import {
  lockWorkspaces,
  readStoredSetup,
  type Setup,
  saveConfiguredChange,
  type TokenCipher,
} from '../workspaces/index.ts';
import { addItem, changeItem, type ItemContext, removeItem } from './change-items.ts';
import type { CheckedPlan } from './check-service.ts';
import { notifyChannels } from './notify-channels.ts';
import type { PlannedChange } from './plan-workspace.ts';
import { readStored, toSettings } from './read-stored.ts';
import { createSetupHandlers } from './setup-handlers.ts';

type Trx = Transaction<Tables>;

export type SaveDependencies = {
  db: Database;
  cipher: TokenCipher;
  append: AppendEntry;
  enqueueJobs: TransactionHooks['enqueueJobs'];
  onSettingsSaved?: ((teamId: string) => void) | undefined;
};

/** Who applies a configuration: the operator, or the admin who requested it and who approved it. */
export type AppliedBy = {
  /** Slack user id. */
  by: string;
  operator?: Operator | undefined;
  approval?: { id: string; approvedBy: string | undefined } | undefined;
  at: Date;
};

export type SaveConfigurationResult =
  /** The requests that are void now. */
  | { result: 'saved'; voided: ApprovalRef[] }
  /** The stored configuration is not the one that the plan was made from. */
  | { result: 'changed-meanwhile'; teamId: string };

/**
 * Saves all plans or nothing. `finish` runs last in the transaction, also if it is rolled back.
 * @throws whatever a statement throws; nothing is changed then
 */
export async function saveConfiguration(
  plans: CheckedPlan[],
  applied: AppliedBy,
  { db, cipher, ...dependencies }: SaveDependencies,
  finish: (trx: Trx, voided: ApprovalRef[]) => Promise<void> = async () => undefined,
): Promise<SaveConfigurationResult> {
  // Entries are appended last: each locks its team's log until the transaction ends.
  const entries: AuditEntry[] = [];
  const collect: AppendEntry = async (_, entry) => void entries.push(entry);
  const handlers = { ...createSetupHandlers(collect, dependencies), cipher };
  const save = async (trx: Trx): Promise<ApprovalRef[]> => {
    await lockWorkspaces(
      trx,
      plans.map(({ teamId }) => teamId),
    );
    const voided: ApprovalRef[] = [];
    for (const plan of plans.toSorted((one, other) => (one.teamId < other.teamId ? -1 : 1))) {
      const { teamId } = plan;
      if ((await readStored(trx, teamId, cipher)).hash !== plan.stored.hash) {
        throw new ChangedMeanwhile(teamId);
      }
      const context: ItemContext = {
        ...{ teamId, by: applied.by, at: applied.at, append: collect },
        enterpriseId: plan.stored.setup.enterpriseId,
      };
      await saveRemovals(trx, plan, context);
      for (const planned of plan.changes) {
        const change = toConfiguredChange(plan, planned, applied);
        voided.push(...(await saveConfiguredChange(trx, change, handlers)).voided);
      }
      await saveItems(trx, plan, context, cipher);
      if (plan.changes.length === 0) await recordHomeChange(trx, teamId);
      await notifyChannels(trx, { ...plan, by: applied.by, at: applied.at });
      await collect(trx, appliedEntry(plan, applied));
    }
    await finish(trx, voided);
    for (const entry of entries) await dependencies.append(trx, entry);
    return voided;
  };
  try {
    return { result: 'saved', voided: await db.transaction().execute(save) };
  } catch (error) {
    if (!(error instanceof ChangedMeanwhile)) throw error;
    return { result: 'changed-meanwhile', teamId: error.teamId };
  }
}

/** Rolls back what was saved of other workspaces. */
class ChangedMeanwhile extends Error {
  readonly teamId: string;
  constructor(teamId: string) {
    super('the configuration was changed');
    this.teamId = teamId;
  }
}

async function saveRemovals(trx: Trx, { items }: CheckedPlan, context: ItemContext) {
  for (const item of items) {
    if (item.kind === 'remove') await removeItem(trx, item.before, context);
  }
}

async function saveItems(
  trx: Trx,
  { teamId, items, anchors }: CheckedPlan,
  context: ItemContext,
  cipher: TokenCipher,
): Promise<void> {
  const { connections } = await readStoredSetup(trx, teamId, cipher);
  for (const item of items) {
    if (item.kind === 'remove') continue;
    const name = item.after.value.connection.toLowerCase();
    const connection = connections.find((one) => one.name.toLowerCase() === name);
    if (!connection) throw new Error('the connection of an item is missing');
    const on = { ...connection, anchor: anchors.get(name) };
    if (item.kind === 'add') await addItem(trx, item.after, on, context);
    else await changeItem(trx, item, on, context);
  }
}

function toConfiguredChange(
  { teamId, stored, wanted, isFirst }: CheckedPlan,
  { change, token, tenant }: PlannedChange,
  { by, operator, approval, at }: AppliedBy,
) {
  const { target, connectionId, after, tokenOwnerAfter: tokenOwner } = change;
  if (connectionId !== undefined && token === undefined) throw new Error('a token is missing');
  const { regionId, organizationalUnitId } = after;
  const setup: Setup = {
    ...{ teamId, enterpriseId: stored.setup.enterpriseId, target, tokenOwner, at },
    connection:
      connectionId !== undefined && token !== undefined
        ? { id: connectionId, regionId, organizationalUnitId, token, tenant }
        : undefined,
    settings: toSettings(wanted),
    ...{ savedBy: by, operator, approvalId: approval?.id },
    ...{ viewId: change.changeId, basedOn: undefined },
  };
  // The first setup changes nothing that anybody relies on.
  const isAnnouncedChange = !isFirst && isAnnounced(change);
  return { setup, change, isAnnounced: isAnnouncedChange, approvedBy: approval?.approvedBy };
}

function appliedEntry(
  { teamId, items }: CheckedPlan,
  { by, operator, approval, at }: AppliedBy,
): AuditEntry {
  const count = (kind: string) => items.filter((item) => item.kind === kind).length;
  const counts = { added: count('add'), changed: count('change'), removed: count('remove') };
  return {
    ...{ teamId, at, event: 'configuration_applied', approvalId: approval?.id },
    actor: operator ? operator.actor : by,
    facts: { ...counts, ...(operator && { operator: true }) },
    personal: { ...operator?.personal },
  };
}
