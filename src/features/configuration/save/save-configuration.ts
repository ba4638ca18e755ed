import { randomUUID } from 'node:crypto';
import type { Transaction } from 'kysely';
import { appendLast } from '../../../audit-log/append.ts';
import type { AuditEntry, Operator } from '../../../audit-log/entry.ts';
import type { Tables } from '../../../database/tables.ts';
import { recordHomeChange } from '../../../postings/home/store/home-store.ts';
import { enqueueMessages } from '../../../postings/outbox/enqueue.ts';
import type { ApprovalRef } from '../../../requests/approval.ts';
import { SetupChangedError } from '../../../workspace/open-settings.ts';
import {
  lockWorkspaces,
  readStoredSetup,
  recordConfiguredChange,
  saveConfiguredChange,
} from '../../../workspace/store/configured-workspace.ts';
import type { SetupHandlers } from '../../../workspace/store/save-setup.ts';
import type { TokenCipher } from '../../../workspace/store/token-cipher.ts';
import type { Setup } from '../../../workspace/workspace.ts';
import { isAnnounced } from '../../setup/index.ts';
import { lockPolledWatches } from '../../watches/index.ts';
import type { ConfigurationContext } from '../configuration-context.ts';
import { compareItems, type ItemChange, type PlannedChange } from '../plan/plan-workspace.ts';
import { type SavablePlan, toApprovedPlan } from '../plan/stored-plan.ts';
import { readStored, toSettings } from '../read-stored.ts';
import type { Item, ItemContext, Section } from '../sections/define-section.ts';
import { configurationMessage } from '../views/configuration-message.ts';
import { createSetupHandlers } from './setup-handlers.ts';

type Trx = Transaction<Tables>;

type SaveContext = Pick<ConfigurationContext, 'hooks' | 'cipher'>;

/** Who applies a configuration: the operator, or the admin who requested it and who approved it. */
export type AppliedBy = {
  /** Slack user id. */
  by: string;
  operator?: Operator | undefined;
  approval?: { id: string; approvedBy: string | undefined } | undefined;
  at: Date;
};

type SaveConfigurationResult =
  /** The requests that are void now. */
  | { result: 'saved'; voided: ApprovalRef[] }
  /** A stored configuration is not the one that its plan was made from. */
  | { result: 'changed-meanwhile' };

/**
 * Saves all plans or nothing. `finish` runs last in the transaction, also if it is rolled back.
 * @throws whatever a statement throws; nothing is changed then
 */
export async function saveConfiguration(
  plans: SavablePlan[],
  applied: AppliedBy,
  context: ConfigurationContext,
  finish: (trx: Trx, voided: ApprovalRef[]) => Promise<void> = async () => undefined,
): Promise<SaveConfigurationResult> {
  try {
    const save = async (trx: Trx) => {
      const voided = await savePlans(trx, plans, applied, context);
      await finish(trx, voided);
      return voided;
    };
    return { result: 'saved', voided: await context.db.transaction().execute(save) };
  } catch (error) {
    if (!(error instanceof SetupChangedError)) throw error;
    return { result: 'changed-meanwhile' };
  }
}

/**
 * Saves the plans in a transaction. Resolves to the requests that are void now.
 * @throws {SetupChangedError} if a stored configuration is not the one that its plan was made from
 */
async function savePlans(
  trx: Trx,
  plans: SavablePlan[],
  applied: AppliedBy,
  { hooks, cipher }: SaveContext,
): Promise<ApprovalRef[]> {
  const { by, at } = applied;
  return appendLast(trx, hooks.append, async (append) => {
    const handlers = { ...createSetupHandlers({ ...hooks, append }), cipher };
    await lockWorkspaces(
      trx,
      plans.map(({ teamId }) => teamId),
    );
    const voided: ApprovalRef[] = [];
    for (const plan of plans.toSorted((one, other) => (one.teamId < other.teamId ? -1 : 1))) {
      const { teamId, changes } = plan;
      await lockPolledWatches(trx, teamId);
      const stored = await readStored(trx, teamId, cipher);
      if (stored.hash !== plan.hash) throw new SetupChangedError('the configuration was changed');
      const { connections } = stored.setup;
      const context = { teamId, by, at, append };
      const items = compareItems(stored.items, plan.wanted);
      await saveRemovals(trx, items, context);
      for (const planned of changes) {
        const setup = toSetup(plan, planned, applied);
        voided.push(...(await saveConfiguredChange(trx, setup, handlers)).voided);
      }
      await saveItems(trx, plan, items, context, cipher);
      if (changes.length === 0) await recordHomeChange(trx, teamId);
      await notifyChannels(trx, { teamId, items, by, at });
      // A first setup changes nothing existing, and an approved change is announced by its request.
      const change = connections.length > 0 && applied.operator ? plan.composed : undefined;
      if (change && isAnnounced(change)) {
        await recordConfiguredChange(trx, { teamId, change, at });
      }
      await append(trx, appliedEntry(teamId, items, applied));
    }
    return voided;
  });
}

/** What else happens when a setup is saved in Slack, approved configuration files included. */
export function createWorkspaceHandlers(context: SaveContext): SetupHandlers {
  return {
    ...createSetupHandlers(context.hooks),
    async onConfigurationApproved(trx, { teamId, plan, tokens, by, approval, at }) {
      const approved = toApprovedPlan(teamId, plan, tokens);
      await savePlans(trx, [approved], { by, approval, at }, context);
    },
  };
}

async function saveRemovals(trx: Trx, items: ItemChange[], context: ItemContext) {
  for (const item of items) {
    if (item.kind !== 'remove') continue;
    const { section, id } = item.before;
    await section.remove(trx, { teamId: context.teamId, id }, context);
  }
}

async function saveItems(
  trx: Trx,
  { teamId, anchors }: SavablePlan,
  items: ItemChange[],
  context: ItemContext,
  cipher: TokenCipher,
): Promise<void> {
  const { connections } = await readStoredSetup(trx, teamId, cipher);
  for (const item of items) {
    if (item.kind === 'remove') continue;
    const name = item.after.value.connection?.toLowerCase();
    const connection = connections.find((one) =>
      name === undefined ? one.isDefault : one.name.toLowerCase() === name,
    );
    if (!connection) throw new Error('the connection of an item is missing');
    const on = { ...connection, anchor: name === undefined ? undefined : anchors.get(name) };
    const id = item.kind === 'change' ? item.before.id : undefined;
    await item.after.save(trx, { ...context, connection: on }, id);
  }
}

function toSetup(
  { teamId, wanted }: SavablePlan,
  { change, token, tenant }: PlannedChange,
  { by, operator, approval, at }: AppliedBy,
): Setup {
  const { changeId, target, connectionId, after, tokenOwnerAfter: tokenOwner } = change;
  if (connectionId !== undefined && token === undefined) throw new Error('a token is missing');
  const { regionId, organizationalUnitId } = after;
  return {
    teamId,
    target,
    tokenOwner,
    at,
    connection:
      connectionId !== undefined && token !== undefined
        ? { id: connectionId, regionId, organizationalUnitId, token, tenant }
        : undefined,
    settings: toSettings(wanted),
    savedBy: by,
    operator,
    approvalId: approval?.id,
    viewId: changeId,
    basedOn: undefined,
  };
}

function appliedEntry(
  teamId: string,
  items: ItemChange[],
  { by, operator, approval, at }: AppliedBy,
): AuditEntry {
  return {
    teamId,
    at,
    event: 'configuration_applied',
    approvalId: approval?.id,
    actor: operator ? operator.actor : by,
    facts: { ...countKinds(items), ...(operator && { operator: true }) },
    personal: { ...operator?.personal },
  };
}

/** Enqueues one message for each channel: what a configuration file has changed there. */
async function notifyChannels(
  trx: Transaction<Tables>,
  { teamId, items, by, at }: { teamId: string; items: ItemChange[]; by: string; at: Date },
): Promise<void> {
  const byChannel = Map.groupBy(items, (change) => itemOf(change).value.channel);
  // Every transaction locks channels in this order. Otherwise two could deadlock.
  for (const channelId of [...byChannel.keys()].toSorted()) {
    const changes = byChannel.get(channelId) ?? [];
    const [first] = changes;
    if (!first) continue;
    const count = (family: Section['family']) =>
      countKinds(changes.filter((change) => itemOf(change).section.family === family));
    const pin = changes.find((change) => itemOf(change).section.family === 'connection');
    const message = configurationMessage({
      by,
      channelId,
      count,
      connection: pin && (pin.kind === 'remove' ? 'default' : pin.after.value.connection),
    });
    const to = { teamId, channelId, ownerSlackUserId: itemOf(first).value.owner };
    await enqueueMessages(trx, to, [{ subject: `configuration:${randomUUID()}`, message }], at);
  }
}

function itemOf(change: ItemChange): Item {
  return change.kind === 'remove' ? change.before : change.after;
}

function countKinds(changes: ItemChange[]) {
  const count = (kind: ItemChange['kind']) => changes.filter((one) => one.kind === kind).length;
  return { added: count('add'), changed: count('change'), removed: count('remove') };
}
