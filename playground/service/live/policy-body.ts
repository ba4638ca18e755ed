import { z } from 'zod';
import type { Duration, Policy, SlaSet } from '../resources.ts';

/** The contract's units and the live dialect's, which differ by a letter. */
const unitPairs = ['minute', 'hour', 'day', 'week', 'month', 'year'].map(
  (units) => [units, `${units}s`] as const,
);
const unitOnWire = new Map<string, string>(unitPairs);
const unitInStore = new Map<string, string>(unitPairs.map(([units, unit]) => [unit, units]));
/** Units without a counterpart. An on-demand backup has no value. */
const onDemand = 'on_demand';
const liveUnits = [...unitInStore.keys(), 'weekly', onDemand] as const;

const duration = z
  .strictObject({
    unit: z.enum(liveUnits),
    value: z.int().nonnegative().nullish(),
    offsets: z.array(z.int().min(0).max(6)).nullish(),
  })
  .refine(({ unit, value }) => unit === onDemand || typeof value === 'number', {
    path: ['value'],
    message: 'must be a number',
  })
  .transform(
    ({ unit, value, offsets }): Duration => ({
      units: unitInStore.get(unit) ?? unit,
      value: value ?? 0,
      ...(offsets ? { offsets } : {}),
    }),
  );

const operation = z
  .looseObject({
    type: z.string().min(1),
    action_setting: z.enum(['immediate', 'window']),
    slas: z
      .array(z.strictObject({ rpo_frequency: duration, retention_duration: duration }))
      .nullish(),
    // Told by the service, and ignored when they come back.
    next_start_time: z.unknown().optional(),
    previous_start_time: z.unknown().optional(),
  })
  .transform(({ type, action_setting, slas, next_start_time, previous_start_time, ...rest }) => {
    const slaSet: SlaSet = { operation: type, seed_setting: action_setting, slas: slas ?? [] };
    return Object.keys(rest).length > 0 ? { ...slaSet, liveFields: rest } : slaSet;
  });

/**
 * What POST and PUT take: complete, since PUT replaces everything. Fields of a policy that are
 * not listed are kept and given back, as a later version of the service would.
 */
export const policyBody = z.looseObject({
  name: z.string().trim().min(1),
  operations: z.array(operation).min(1),
  activation_status: z.enum(['activated', 'deactivated']).nullish(),
  organizational_unit_id: z.string().nullish(),
});
export type LivePolicyBody = z.infer<typeof policyBody>;

const toldByService = new Set([
  ...['id', 'lock_status', 'created_time', 'updated_time', 'task_id', '_links', '_embedded'],
  ...['name', 'operations', 'activation_status', 'organizational_unit_id'],
]);

/** The resource that a body describes. */
export function policyFrom(id: string, body: LivePolicyBody): Policy {
  const rest = Object.entries(body).filter(([name]) => !toldByService.has(name));
  return {
    id,
    name: body.name,
    sla_sets: body.operations,
    activation_status: body.activation_status ?? 'activated',
    lock_status: 'unlocked',
    liveFields: Object.fromEntries(rest),
  };
}

/** A duration as the live dialect spells it. */
export function renderDuration({ units, value, offsets }: Duration) {
  return {
    unit: unitOnWire.get(units) ?? units,
    value: units === onDemand ? null : value,
    ...(offsets ? { offsets } : {}),
  };
}
