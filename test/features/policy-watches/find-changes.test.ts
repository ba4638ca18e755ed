import { expect, test } from 'vitest';
import type { PolicyDefinition } from '../../../src/dataprotection/resources/policies.ts';
import { findChanges } from '../../../src/features/policy-watches/find-changes.ts';
import type { ChangingRequest } from '../../../src/requests/store/find-changing-requests.ts';

const id = 'p-1';

function gold(retentionDays: number, name = 'Gold', otherFields = {}): PolicyDefinition {
  const rpoFrequency = { units: 'hours', value: 4 };
  const retentionDuration = { units: 'days', value: retentionDays };
  const slas = [{ rpoFrequency, retentionDuration }];
  const slaSets = [{ operation: 'vmware_vm_backup', seedSetting: 'immediate', slas }];
  return { name, slaSets, otherFields };
}

function request(
  change: { before?: PolicyDefinition; after: PolicyDefinition },
  given: Partial<ChangingRequest> = {},
): ChangingRequest {
  const action = change.before ? 'policies.replace' : 'policies.create';
  const payload = { ...change, policyId: id, body: {} };
  return { action, payload, subjectId: id, isRunning: false, isCertain: true, ...given };
}

/** What is posted about a policy that was `before` and is listed as `now`: the kind, then the lines. */
function posted(
  before: PolicyDefinition | undefined,
  now: PolicyDefinition,
  latestFirst: ChangingRequest[],
) {
  const observed = before ? [{ id, definition: before, isMissing: false }] : [];
  const known = new Map(observed.map((one) => [one.id, one]));
  const { changes } = findChanges(known, [{ id, definition: now }], latestFirst);
  return changes.map(({ kind, changes: lines }) => [
    kind,
    ...lines.map(({ label, before: one, after: other }) => `${label}: ${one} → ${other}`),
  ]);
}

test('a change made elsewhere is posted, even if Belay changed the policy afterward', () => {
  const own = request({ before: gold(7), after: gold(7, 'Gold plus') });
  expect(posted(gold(30), gold(7, 'Gold plus'), [own])).toEqual([
    ['changed', 'Retention: 30 days → 7 days'],
  ]);
});

test('a change made elsewhere between two changes by Belay is posted, and those two are not', () => {
  const first = request({ before: gold(30), after: gold(90) });
  const second = request({ before: gold(7), after: gold(365) });
  expect(posted(gold(30), gold(365), [second, first])).toEqual([
    ['changed', 'Retention: 90 days → 7 days'],
  ]);
  const next = request({ before: gold(90), after: gold(365) });
  expect(posted(gold(30), gold(365), [next, first])).toEqual([]);
});

test('a change by Belay that was seen already is not posted along with a later change', () => {
  const own = request({ before: gold(30), after: gold(90) });
  expect(posted(gold(90), gold(7), [own])).toEqual([['changed', 'Retention: 90 days → 7 days']]);
});

test('a policy that Belay created and then changed was not changed elsewhere', () => {
  const created = request({ after: gold(30) });
  const changed = request({ before: gold(30), after: gold(90) });
  expect(posted(undefined, gold(90), [changed, created])).toEqual([]);
  expect(posted(undefined, gold(7), [changed, created])).toEqual([
    ['changed', 'Retention: 90 days → 7 days'],
  ]);
});

test('what a failed request of Belay may have changed is not blamed on others', () => {
  const own = request({ before: gold(30), after: gold(90, 'Gold plus') }, { isCertain: false });
  expect(posted(gold(30), gold(30, 'Gold plus'), [own])).toEqual([]);
  expect(posted(gold(30), gold(90, 'Gold plus', { added: 'by the service' }), [own])).toEqual([]);
  expect(posted(gold(30), gold(7, 'Gold plus'), [own])).toEqual([
    ['changed', 'Retention: 30 days → 7 days'],
  ]);
});
