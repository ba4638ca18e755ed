import fc from 'fast-check';
import type { PolicyDefinition } from '../../../../src/dataprotection/resources/policies.ts';
import type {
  Duration,
  Sla,
  SlaSet,
} from '../../../../src/dataprotection/resources/policy-schema.ts';

/** Few values, so that equal, swapped and comparable ones meet often. */
const plainDuration: fc.Arbitrary<Duration> = fc.record({
  units: fc.constantFrom(
    'hour',
    'hours',
    'day',
    'days',
    'week',
    'weeks',
    'month',
    'months',
    'year',
  ),
  value: fc.constantFrom(1, 2, 4, 7, 12, 24, 28, 30, 31, 60, 365, 366),
});
const oddDuration: fc.Arbitrary<Duration> = fc.oneof(
  fc.record({
    units: fc.constantFrom('weekly', 'daily', 'on_demand', 'Days', 'fortnight', '', 'minutes'),
    value: fc.constantFrom(0, 1, 2, -1, 1.5, 1e9, 2e9),
  }),
  fc.record({
    units: fc.constant('weeks'),
    value: fc.constantFrom(1, 2),
    otherFields: fc.constantFrom({ offsets: [1] }, { offsets: [1, 4] }, { offsets: null }),
  }),
  fc.constantFrom<Duration>(
    { units: 'days', otherFields: { value: 'ten' } },
    { value: 3 },
    { otherFields: {} },
  ),
);
const duration = fc.oneof({ weight: 6, arbitrary: plainDuration }, oddDuration);
const unknown = fc.oneof(
  { weight: 4, arbitrary: fc.constant({}) },
  fc.constantFrom<Record<string, unknown>>(
    { backup_window_tz: { start_time: '22:00', end_time: '04:00' } },
    { backup_window_tz: { start_time: '23:00', end_time: '04:00' } },
    { timezone: null },
    { activation_status: 'deactivated' },
    { activation_status: 'activated' },
    { x_lock: { mode: null } },
    { x_lock: {} },
  ),
);
const sla: fc.Arbitrary<Sla> = fc.record({
  rpoFrequency: fc.option(duration, { freq: 9, nil: undefined }),
  retentionDuration: fc.option(duration, { freq: 9, nil: undefined }),
  otherFields: fc.oneof({ weight: 9, arbitrary: fc.constant({}) }, unknown),
});
const slaSet: fc.Arbitrary<SlaSet> = fc.record({
  operation: fc.constantFrom(
    'vmware_vm_backup',
    'aws_ebs_volume_backup',
    'aws_rds_resource_aws_snapshot',
    'new_backup',
    undefined,
  ),
  seedSetting: fc.constantFrom('immediate', 'window', 'immediate', 'later', undefined),
  slas: fc.array(sla, { minLength: 1, maxLength: 3 }),
  otherFields: unknown,
});
const policy: fc.Arbitrary<PolicyDefinition> = fc.record({
  name: fc.constantFrom('Gold', 'Silver'),
  slaSets: fc.array(slaSet, { minLength: 1, maxLength: 4 }),
  otherFields: fc.constantFrom<Record<string, unknown>>(
    { activation_status: 'activated' },
    { activation_status: 'deactivated' },
    {},
    { timezone: 'UTC' },
  ),
});

type Edit = (before: PolicyDefinition) => PolicyDefinition;

const anyIndex = fc.nat(30);
const at = <T>(items: T[], index: number) => items[index % Math.max(items.length, 1)];

function editSla(set: number, index: number, change: (sla: Sla) => Sla): Edit {
  return (before) => {
    const slaSets = before.slaSets.map((one, position) =>
      position === set % before.slaSets.length
        ? {
            ...one,
            slas: one.slas.map((own, place) =>
              place === index % one.slas.length ? change(own) : own,
            ),
          }
        : one,
    );
    return { ...before, slaSets };
  };
}

function editSets(change: (sets: SlaSet[]) => SlaSet[]): Edit {
  return (before) => ({ ...before, slaSets: change(before.slaSets) });
}

/** Edits as people and services make them, and some that try to hide a weakening. */
const edit: fc.Arbitrary<Edit> = fc.oneof(
  fc
    .tuple(anyIndex, anyIndex, duration)
    .map(([set, index, rpoFrequency]) => editSla(set, index, (one) => ({ ...one, rpoFrequency }))),
  fc
    .tuple(anyIndex, anyIndex, duration)
    .map(([set, index, retentionDuration]) =>
      editSla(set, index, (one) => ({ ...one, retentionDuration })),
    ),
  fc.tuple(anyIndex, anyIndex).map(([set, index]) =>
    editSla(set, index, (one) => ({
      ...one,
      rpoFrequency: one.retentionDuration,
      retentionDuration: one.rpoFrequency,
    })),
  ),
  // Swaps the SLAs of two sets.
  fc.tuple(anyIndex, anyIndex).map(([one, other]) =>
    editSets((sets) =>
      sets.map((set, index) => {
        const from =
          index === one % sets.length ? other : index === other % sets.length ? one : index;
        return { ...set, slas: at(sets, from)?.slas ?? set.slas };
      }),
    ),
  ),
  fc.constant(editSets((sets) => sets.toReversed())),
  fc.constant(editSets((sets) => sets.map((set) => ({ ...set, slas: set.slas.toReversed() })))),
  anyIndex.map((index) => editSets((sets) => sets.toSpliced(index % sets.length, 1))),
  // Removes one and doubles another.
  anyIndex.map((index) =>
    editSets((sets) => {
      const kept = sets.toSpliced(index % sets.length, 1);
      const [first] = kept;
      return first ? [...kept, first] : kept;
    }),
  ),
  slaSet.map((added) => editSets((sets) => [...sets, added])),
  fc
    .tuple(anyIndex, slaSet)
    .map(([index, { operation }]) =>
      editSets((sets) =>
        sets.map((set, position) =>
          position === index % sets.length ? { ...set, operation } : set,
        ),
      ),
    ),
  fc
    .tuple(anyIndex, slaSet)
    .map(([index, { seedSetting }]) =>
      editSets((sets) =>
        sets.map((set, position) =>
          position === index % sets.length ? { ...set, seedSetting } : set,
        ),
      ),
    ),
  fc
    .tuple(anyIndex, unknown)
    .map(([index, otherFields]) =>
      editSets((sets) =>
        sets.map((set, position) =>
          position === index % sets.length ? { ...set, otherFields } : set,
        ),
      ),
    ),
  fc
    .tuple(anyIndex, sla)
    .map(([index, added]) =>
      editSets((sets) =>
        sets.map((set, position) =>
          position === index % sets.length ? { ...set, slas: [...set.slas, added] } : set,
        ),
      ),
    ),
  fc.constant<Edit>((before) => ({ ...before, name: `${before.name} 2` })),
  policy.map<Edit>(({ otherFields = {} }) => (before) => ({ ...before, otherFields })),
);

/** A policy, and the same after up to four edits. */
export const policyPair = fc
  .tuple(policy, fc.array(edit, { minLength: 1, maxLength: 4 }))
  .map(([before, edits]) => ({
    before,
    after: edits.reduce((now, change) => change(now), before),
  }));
