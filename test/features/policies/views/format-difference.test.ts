import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PolicyDefinition } from '../../../../src/dataprotection/resources/policies.ts';
import type { SlaSet } from '../../../../src/dataprotection/resources/policy-schema.ts';
import { isSameValue } from '../../../../src/features/policies/difference/canonical.ts';
import { comparePolicies } from '../../../../src/features/policies/difference/compare-policies.ts';
import type { PolicyChange } from '../../../../src/features/policies/difference/policy-change.ts';
import { formatDifference } from '../../../../src/features/policies/views/format-difference.ts';
import { propertyRuns } from '../../../support/sampling.ts';
import { policyPair } from '../difference/generated-pairs.ts';

const gold: PolicyDefinition = { name: 'Gold', slaSets: [], otherFields: {} };

function linesOf(before: PolicyDefinition | undefined, after: PolicyDefinition): string[] {
  return formatDifference(comparePolicies(before, after)).slice(1);
}

function fieldLine(before: unknown, after: unknown): string | undefined {
  const [one, other] = [before, after].map((note) => ({ ...gold, otherFields: { note } }));
  return one && other && linesOf(one, other)[0];
}

/** Whether the line of a change shows two different values: the same line in reverse is another. */
function showsDifference({ before, after, ...change }: PolicyChange): boolean {
  const [line] = formatDifference([{ ...change, before, after }]).slice(1);
  const [reversed] = formatDifference([{ ...change, before: after, after: before }]).slice(1);
  return line !== reversed;
}

test('a long value is shown from its first visible character on', () => {
  const place = 'Policy';
  const [, line] = formatDifference([
    {
      place,
      label: 'Field note',
      weight: 'weaker',
      before: `${' '.repeat(1000)}keep`,
      after: 'x'.repeat(1_000_000),
    },
  ]);
  expect(line).toBe(`🔻 *Weaker* · Policy · Field note: keep → ${'x'.repeat(299)}…`);
});

test.each([
  ['5', 5, '"5" → 5'],
  [true, 'true', 'true → "true"'],
  ['keep', 'keep ', 'keep → keep⟨U+0020⟩'],
  ['a b', 'a  b', 'a b → a ⟨U+0020⟩b'],
  ['a b', 'a\nb', 'a b → a⟨U+000A⟩b'],
  ['(empty)', '', '(empty) → `(empty)`'],
  [`${'x'.repeat(400)}1`, `${'x'.repeat(400)}2`, `…${'x'.repeat(20)}1 → …${'x'.repeat(20)}2`],
  [
    `a b${'x'.repeat(400)}`,
    `a  b${'x'.repeat(400)}`,
    `a b${'x'.repeat(295)}… → a ⟨U+0020⟩b${'x'.repeat(287)}…`,
  ],
  ['x'.repeat(400), 'x'.repeat(401), `…${'x'.repeat(20)} → …${'x'.repeat(21)}`],
])('two values look different: %#', (before, after, shown) => {
  expect(fieldLine(before, after)).toBe(`🔻 *Weaker* · Policy · Field note: ${shown}`);
});

test('a name and the name of a field are shown exactly', () => {
  const lines = linesOf(
    { ...gold, otherFields: { x: 1 } },
    { ...gold, name: 'Gold ', slaSets: [] },
  );
  expect(lines).toContain('⚪ *Neutral* · Policy · Name: Gold → Gold⟨U+0020⟩');
  expect(linesOf(gold, { ...gold, otherFields: { 'x ': 1 } })).toEqual([
    '🔻 *Weaker* · Policy · Field x⟨U+0020⟩ added: 1',
  ]);
});

const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: fc.constantFrom(' ', '\n', '\t', 'x', '…', '⟨', '*', '\u200b') }),
  fc.constantFrom('', 'null', '5', '{}', '"5"', '(empty)', '`(empty)`', 'x'.repeat(290)),
);
const spaces = fc.string({ unit: fc.constantFrom(' ', '\n', '\u3000') });
const value = fc.oneof(text, fc.jsonValue({ stringUnit: 'grapheme' }));
/** Values that are easily taken for one another. */
const values = fc.oneof(
  fc.tuple(value, value),
  value.map((one) => [one, JSON.stringify(one)]),
  fc.tuple(text, text).map(([one, other]) => [one, one + other]),
  fc.tuple(text, text, fc.nat(2000)).map(([one, other, length]) => {
    const start = 'same '.repeat(length);
    return [start + one, start + other];
  }),
  fc.tuple(spaces, spaces, fc.nat(500)).map(([one, other, length]) => {
    const end = 'same '.repeat(length);
    return [`a${one}${end}`, `a${other}${end}`];
  }),
  fc.tuple(text, text).map(([one, other]) => [[one], [`${one}${other}`]]),
);

test('the line of a field shows a difference, whatever the values are', () => {
  fc.assert(
    fc.property(values, ([before, after]) => {
      const changes = comparePolicies(
        { ...gold, otherFields: { note: before } },
        { ...gold, otherFields: { note: after } },
      );
      expect(changes).toHaveLength(isSameValue(before ?? undefined, after ?? undefined) ? 0 : 1);
      expect(changes.filter((change) => !showsDifference(change))).toEqual([]);
    }),
    propertyRuns(5000, 1000),
  );
});

test('every line of a change shows a difference', () => {
  fc.assert(
    fc.property(policyPair, ({ before, after }) => {
      const changes = comparePolicies(before, after);
      expect(changes.filter((change) => !showsDifference(change))).toEqual([]);
    }),
    propertyRuns(5000, 500),
  );
});

const marked: SlaSet = {
  operation: 'vmware_vm_backup',
  seedSetting: 'window',
  slas: [
    {
      rpoFrequency: { units: 'weeks', value: 1, otherFields: { offsets: [1], in_rpo: 1 } },
      retentionDuration: { units: 'days', value: 30, otherFields: { in_retention: 2 } },
      otherFields: { in_sla: 3 },
    },
  ],
  otherFields: {
    backup_window_tz: { start_time: '22:00', end_time: '06:00' },
    in_set: { deep: 4 },
  },
};
const markedLines = [
  'Schedule 1 (VMware VM backup) · Field in_set added: {"deep":4}',
  'Schedule 1 (VMware VM backup), SLA 1 · Field in_sla added: 3',
  'Schedule 1 (VMware VM backup), SLA 1, frequency · Field in_rpo added: 1',
  'Schedule 1 (VMware VM backup), SLA 1, retention · Field in_retention added: 2',
];

test('the fields of an added schedule that no words say have lines of their own', () => {
  const words =
    'Schedule 1 (VMware VM backup) · Schedule added: VMware VM backup: every week on Monday · keep 30 days · window 22:00–06:00';
  const after = { ...gold, slaSets: [marked] };
  expect(linesOf(gold, after)).toEqual(
    [words, ...markedLines].map((one) => `🔻 *Weaker* · ${one}`),
  );
  expect(linesOf(undefined, after)).toEqual([
    '⚪ *Neutral* · Policy · Name: Gold',
    `🔺 *Stronger* · ${words}`,
    ...markedLines.map((one) => `⚪ *Neutral* · ${one}`),
  ]);
});

test('a window with more than its hours is shown in full', () => {
  const window = { start_time: '22:00', end_time: '06:00', skip: 'sunday' };
  const slaSet = { ...marked, slas: [], otherFields: { backup_window_tz: window } };
  const lines = linesOf(gold, { ...gold, slaSets: [slaSet] }).map((line) =>
    line.replaceAll('꞉', ':'),
  );
  expect(lines).toContain(
    '🔻 *Weaker* · Schedule 1 (VMware VM backup) · Backup window added: {"end_time":"06:00","skip":"sunday","start_time":"22:00"}',
  );
});

test('so have those of an added SLA, and of a duration whose words change', () => {
  const plain = { ...marked, slas: [], otherFields: {} };
  const withSla = { ...plain, slas: marked.slas };
  const added = linesOf({ ...gold, slaSets: [plain] }, { ...gold, slaSets: [withSla] });
  expect(added).toEqual([
    '🔻 *Weaker* · Schedule 1 (VMware VM backup) · SLA added: every week on Monday · keep 30 days',
    ...markedLines.slice(1).map((one) => `🔻 *Weaker* · ${one}`),
  ]);
  const daily = { units: 'days', value: 1, otherFields: { in_rpo: 2 } };
  const changed = {
    ...withSla,
    slas: withSla.slas.map((sla) => ({ ...sla, rpoFrequency: daily })),
  };
  expect(linesOf({ ...gold, slaSets: [withSla] }, { ...gold, slaSets: [changed] })).toEqual([
    '🔻 *Weaker* · Schedule 1 (VMware VM backup) · Frequency: every week on Monday → every day',
    '🔻 *Weaker* · Schedule 1 (VMware VM backup), frequency · Field in_rpo: 1 → 2',
  ]);
});
