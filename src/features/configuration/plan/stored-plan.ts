import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { tenantMarks } from '../../../dataprotection/tenant.ts';
import { type FormChange, formChange, type SetupChange } from '../../../workspace/setup-change.ts';
import { settingsChange } from '../../setup/index.ts';
import type { Anchor } from '../../watches/index.ts';
import { toFile } from '../file/canonical.ts';
import { workspaceConfiguration } from '../file/configuration.ts';
import { toSettings } from '../read-stored.ts';
import { formatItem } from '../views/format-plan.ts';
import type { CheckedPlan } from './check-service.ts';

const facts = z
  .object({
    updatedAt: z.coerce.date().optional(),
    raisedCount: z.number().optional(),
    severity: z.string().optional(),
    notesHash: z.string().optional(),
    isCleared: z.boolean(),
  })
  .transform(({ updatedAt, raisedCount, severity, notesHash, isCleared }) => ({
    updatedAt,
    raisedCount,
    severity,
    notesHash,
    isCleared,
  }));

const anchor = z
  .object({
    highWater: z.coerce.date().optional(),
    alertId: z.string().optional(),
    known: z.array(z.object({ alertKey: z.string(), facts })),
  })
  .transform(({ highWater, alertId, known }): Anchor => ({ highWater, alertId, known }));

/** A plan as it waits for approval, without its tokens. */
const storedPlan = z.object({
  hash: z.string(),
  /** As `toFile` returns it. */
  wanted: z.unknown().pipe(workspaceConfiguration),
  changes: z.array(z.object({ change: formChange, tenant: tenantMarks.optional() })),
  anchors: z.record(z.string(), anchor),
});

const sealedTokens = z.record(z.string(), z.string());

/** The change to store for a request, and its tokens by the ids of their connections, as JSON. */
export function toPendingChange(
  plan: CheckedPlan,
): { change: SetupChange; tokens: string } | undefined {
  const composed = composeChange(plan);
  if (!composed?.configuration) return undefined;
  const tokens = plan.changes.flatMap(({ change: { connectionId }, token }) =>
    connectionId !== undefined && token !== undefined ? [[connectionId, token]] : [],
  );
  const stored: z.input<typeof storedPlan> = {
    hash: plan.stored.hash,
    wanted: toFile(plan.wanted),
    changes: plan.changes.map(({ change, tenant }) => ({ change, tenant })),
    anchors: Object.fromEntries(plan.anchors),
  };
  return {
    change: { ...composed, configuration: { ...composed.configuration, plan: stored } },
    tokens: JSON.stringify(Object.fromEntries(tokens)),
  };
}

/** What is needed to save a plan. */
export type SavablePlan = Pick<CheckedPlan, 'teamId' | 'wanted' | 'changes' | 'anchors'> & {
  /** Of what was stored when the plan was made. */
  hash: string;
  /** The plan as one change of the setup, to announce it. */
  composed: SetupChange | undefined;
};

/** The plan of a request that was approved. */
export function toApprovedPlan(teamId: string, plan: unknown, tokens: string): SavablePlan {
  const { hash, wanted, changes, anchors } = storedPlan.parse(plan);
  const byConnection = sealedTokens.parse(JSON.parse(tokens));
  return {
    teamId,
    hash,
    wanted,
    composed: undefined,
    changes: changes.map(({ change, tenant }) => {
      const { connectionId } = change;
      return { change, tenant, token: connectionId && byConnection[connectionId] };
    }),
    anchors: new Map(Object.entries(anchors)),
  };
}

/**
 * A plan as one change of the setup, which people are shown and decide on as a whole: what the settings
 * change, and the rest as `configuration`. Undefined for a workspace without a connection.
 */
function composeChange(plan: CheckedPlan): SetupChange | undefined {
  const { stored, wanted, changes, items } = plan;
  const [connection] = stored.setup.connections;
  if (!connection) return undefined;
  const isOfSettings = ({ target }: FormChange) => target === undefined;
  const all = changes.map(({ change }) => change);
  const settings = toSettings(wanted);
  const { revision } = stored.setup;
  const unchanged = settingsChange(connection, { revision, settings }, settings, { regions: [] });
  return {
    ...(all.find(isOfSettings) ?? unchanged),
    changeId: randomUUID(),
    configuration: {
      changes: all.filter((change) => !isOfSettings(change)),
      items: items.map(formatItem).toSorted(),
      plan: undefined,
    },
  };
}

export function toSavable(plan: CheckedPlan): SavablePlan {
  return { ...plan, hash: plan.stored.hash, composed: composeChange(plan) };
}
