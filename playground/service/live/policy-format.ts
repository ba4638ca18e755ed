import { z } from 'zod';
import type { Owned } from '../data/collection.ts';
import { renderOnce } from '../http/render-page.ts';
import { type Links, link } from '../http/response.ts';
import type { Duration, Policy, SlaSet } from '../resources.ts';

/** Duration units of the contract and of the live dialect, which differ by a plural s. */
const unitPairs = ['minute', 'hour', 'day', 'week', 'month', 'year'].map(
  (units) => [units, `${units}s`] as const,
);
const unitOnWire = new Map<string, string>(unitPairs);
const unitInStore = new Map<string, string>(unitPairs.map(([units, unit]) => [unit, units]));
/** A unit without a counterpart: an on-demand backup has no value. */
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
    // Written by the service, and ignored in requests.
    next_start_time: z.unknown().optional(),
    previous_start_time: z.unknown().optional(),
  })
  .transform(({ type, action_setting, slas, next_start_time, previous_start_time, ...rest }) => {
    const slaSet: SlaSet = { operation: type, seed_setting: action_setting, slas: slas ?? [] };
    return Object.keys(rest).length > 0 ? { ...slaSet, liveFields: rest } : slaSet;
  });

/**
 * The body of POST and PUT, which is complete: PUT replaces everything. Unknown fields are stored
 * and returned, as a later version of the service would.
 */
export const policyBody = z.looseObject({
  name: z.string().trim().min(1),
  operations: z.array(operation).min(1),
  activation_status: z.enum(['activated', 'deactivated']).nullish(),
  organizational_unit_id: z.string().nullish(),
});
export type LivePolicyBody = z.infer<typeof policyBody> & { sent?: Policy['sent'] };

/** Any object, kept as it is. */
export const anyPolicyBody = z
  .custom<Record<string, unknown>>((body) => z.looseObject({}).safeParse(body).success)
  .transform((sent): LivePolicyBody => ({ name: String(sent.name), operations: [], sent }));

const serviceFields = new Set([
  ...['id', 'lock_status', 'created_time', 'updated_time', 'task_id', '_links', '_embedded'],
  ...['name', 'operations', 'activation_status', 'organizational_unit_id', 'sent'],
]);

/** The stored policy for a request body. */
export function policyFrom(id: string, body: LivePolicyBody): Policy {
  const rest = Object.entries(body).filter(([name]) => !serviceFields.has(name));
  return {
    id,
    name: body.name,
    sla_sets: body.operations,
    activation_status: body.activation_status ?? 'activated',
    lock_status: 'unlocked',
    liveFields: Object.fromEntries(rest),
    ...(body.sent ? { sent: body.sent } : {}),
  };
}

/** A duration in the units of the live dialect. */
function renderDuration({ units, value, offsets }: Duration) {
  return {
    unit: unitOnWire.get(units) ?? units,
    value: units === onDemand ? null : value,
    ...(offsets ? { offsets } : {}),
  };
}

const path = '/policies/definitions';

export const policyText = renderOnce((item: Owned<Policy>) => renderPolicy(item));

/** `more` are additional links of one response. */
export function renderPolicy({ resource, organizationalUnitId }: Owned<Policy>, more: Links = {}) {
  const { id, name, sla_sets, activation_status, lock_status, liveFields, sent } = resource;
  const self = `${path}/${id}`;
  return {
    ...(sent ?? {
      timezone: null,
      ...liveFields,
      name,
      activation_status: activation_status ?? 'activated',
      operations: sla_sets.map(renderOperation),
    }),
    id,
    lock_status: lock_status ?? 'unlocked',
    organizational_unit_id: organizationalUnitId,
    created_time: resource.created_time ?? 0,
    updated_time: resource.updated_time ?? resource.created_time ?? 0,
    _links: {
      _self: link(self),
      'update-policy-definition': link(self, 'put'),
      'delete-policy-definition': link(self, 'delete'),
      'read-policy-aws-ebs-volumes-compliance-stats': link(
        `${self}/stats/compliance/aws/ebs-volumes`,
      ),
      ...more,
    },
  };
}

function renderOperation({ operation, seed_setting, slas, liveFields }: SlaSet) {
  return {
    backup_window_tz: null,
    timezone: null,
    backup_aws_region: null,
    advanced_settings: null,
    ...liveFields,
    type: operation,
    action_setting: seed_setting,
    slas: slas.map(({ rpo_frequency, retention_duration }) => ({
      rpo_frequency: renderDuration(rpo_frequency),
      retention_duration: renderDuration(retention_duration),
    })),
    next_start_time: null,
    previous_start_time: null,
  };
}
