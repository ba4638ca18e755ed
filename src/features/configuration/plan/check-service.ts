import type { ServiceConnection } from '../../../dataprotection/connection.ts';
import { serviceConnection } from '../../../workspace/workspace.ts';
import { checkOwner, seesTenantOf } from '../../setup/index.ts';
import type { Anchor } from '../../watches/index.ts';
import type { ConfigurationContext } from '../configuration-context.ts';
import type { PlannedChange, WorkspacePlan } from './plan-workspace.ts';

/** A plan that was tried on the service, and checked in Slack. */
export type CheckedPlan = WorkspacePlan & {
  /** By the lower-case name of the connection. */
  anchors: Map<string, Anchor>;
  /** Why the plan can't be applied, one line each. */
  problems: string[];
  /** What was not checked, a sentence each. */
  notes: string[];
};

/**
 * Tries what the setup tries before it saves: new tokens, organizational units and token owners. Reads
 * where new alert watches begin. A token that sees the same tenant replaces only the old token.
 */
export async function checkService(
  plan: WorkspacePlan,
  context: ConfigurationContext,
): Promise<Omit<CheckedPlan, 'notes'>> {
  const problems: string[] = [];
  const changes: PlannedChange[] = [];
  for (const planned of plan.changes) {
    const checked = await tryChange(plan, planned, context);
    if (typeof checked === 'string') problems.push(checked);
    changes.push(typeof checked === 'string' ? planned : checked);
  }
  const checked = { ...plan, changes, anchors: new Map<string, Anchor>(), problems };
  if (problems.length > 0) return checked;
  const added = plan.items.flatMap((item) =>
    item.kind === 'add' && item.after.section.needsAnchor
      ? (item.after.value.connection ?? [])
      : [],
  );
  for (const name of new Set(added)) {
    const opened = openWanted(checked, name, context);
    if (!opened) {
      // A missing token is reported with its reference.
      if (!plan.missing.some(({ connection }) => connection === name))
        problems.push(
          `connection ${name}: its token can't be read, or its region isn't configured`,
        );
      continue;
    }
    try {
      checked.anchors.set(name.toLowerCase(), await context.readAnchor(opened));
    } catch (error) {
      problems.push(`connection ${name}: the alerts can't be read (${describe(error)})`);
    }
  }
  return checked;
}

/** An error of the service is safe to print: it has neither the token nor a body. */
function describe(error: unknown): string {
  return error instanceof Error ? error.message : 'unknown';
}

/** The change as it is to be saved, or the problem. */
async function tryChange(
  plan: WorkspacePlan,
  planned: PlannedChange,
  context: ConfigurationContext,
): Promise<PlannedChange | string> {
  const { regions, probe, userExists } = context;
  const { change } = planned;
  const { target, tokenOwnerBefore, tokenOwnerAfter } = change;
  if (target?.kind !== 'add' && target?.kind !== 'edit') return planned;
  const problem = (text: string) => `connection ${target.name}: ${text}`;
  const region = regions.find(({ id }) => id === change.after.regionId);
  const opened = openWanted(plan, target.name, context);
  if (!region) return problem(`the region ${change.after.regionId} isn't configured`);
  // A token that is missing is reported with its reference.
  if (!opened) return planned;
  let tried = planned;
  if (change.connectionId !== undefined) {
    const probed = await probe(opened);
    if (probed.outcome === 'failed') return problem(describe(probed.error));
    if (probed.outcome !== 'ok') return problem(refusals[probed.outcome]);
    const { tenant } = probed;
    const current = plan.stored.setup.connections.find(
      ({ originId }) => originId === target.originId,
    );
    const isSamePlace =
      current?.token !== undefined &&
      current.regionId === change.after.regionId &&
      current.organizationalUnitId === change.after.organizationalUnitId;
    const isSameTenant =
      isSamePlace &&
      (await seesTenantOf({ ...current, token: current.token ?? '' }, tenant, region, probe));
    const kept = isSameTenant ? { connectionId: current.id, isSameTenant } : {};
    tried = { ...planned, tenant, change: { ...change, ...kept } };
  }
  const isOtherOwner = target.kind === 'add' || tokenOwnerBefore !== tokenOwnerAfter;
  if (!isOtherOwner) return tried;
  const ownerCheck = await checkOwner(tokenOwnerAfter, opened, userExists);
  if (typeof ownerCheck === 'object')
    return problem(`the token owner ${tokenOwnerAfter} doesn't exist in the service`);
  return { ...tried, change: { ...tried.change, ownerCheck } };
}

const refusals = {
  'token-refused': 'the service refused the token: wrong, expired, or from another portal',
  'unit-refused': 'the token has no access to the organizational unit',
};

/** The service of a connection as it will be; undefined if its token or region is missing. */
function openWanted(
  { wanted, changes, stored }: WorkspacePlan,
  name: string,
  { regions }: ConfigurationContext,
): ServiceConnection | undefined {
  const isNamed = (one: { name: string }) => one.name.toLowerCase() === name.toLowerCase();
  const connection = wanted.connections.find(isNamed);
  const region = regions.find(({ id }) => id === connection?.region);
  const planned = changes.find(
    ({ change }) => change.connectionId !== undefined && change.target && isNamed(change.target),
  );
  const token = planned ? planned.token : stored.setup.connections.find(isNamed)?.token;
  if (!connection || !region || token === undefined) return undefined;
  const { organizationalUnit: organizationalUnitId } = connection;
  return serviceConnection(region, { token, organizationalUnitId });
}
