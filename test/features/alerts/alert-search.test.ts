import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  type AlertSearch,
  alertSearchSchema,
  defaultSearch,
  parseAlertSearch,
} from '../../../src/features/alerts/alert-search.ts';
import { builtInValues } from '../../../src/features/alerts/known-values.ts';
import { describeSearch, formatSearch } from '../../../src/features/alerts/views/format-search.ts';
import { codePoint } from '../../slack/ui/hostile-text.ts';
import { propertyRuns } from '../../support/sampling.ts';

const now = new Date('2026-11-21T12:00:00Z');

function parsed(text: string): AlertSearch {
  const read = parseAlertSearch(text, now);
  if ('problem' in read) throw new Error(read.problem);
  return read.search;
}

it.each<[string, Partial<AlertSearch>]>([
  ['', {}],
  ['severity:Error', { severities: ['error'] }],
  ['severity:error,warning', { severities: ['error', 'warning'] }],
  ['SEVERITY:"error, Warning,error"', { severities: ['error', 'warning'] }],
  ['type:policy_violated,tag_conflict', { types: ['policy_violated', 'tag_conflict'] }],
  ['type:"Policy violated"', { types: ['policy_violated'] }],
  ['status:all', { status: 'all' }],
  ['policy:"Virtual machines, nightly"', { policy: 'Virtual machines, nightly' }],
  ['since:2D', { since: '2d' }],
  ['since:2026-11-01', { since: '2026-11-01' }],
  ['since:Yesterday', { since: 'yesterday' }],
  ['severity:notice since:monday', { severities: ['notice'], since: 'monday' }],
  ['sort:-raised', { sort: '-raised' }],
  ['vm-12 gold', { words: ['vm-12', 'gold'] }],
  ['"encryption  key" “a:b”', { words: ['encryption key', 'a:b'] }],
  ['12:30 <x>', { words: ['12:30', '<x>'] }],
  ['policy:„Gold tier“ «a b»', { policy: 'Gold tier', words: ['a b'] }],
  ["policy:'Gold tier' 'a b'", { policy: 'Gold tier', words: ['a b'] }],
  ['errors', { severities: ['error'] }],
  ['ERROR warnings', { severities: ['error', 'warning'] }],
  ['severity=error', { severities: ['error'] }],
  ['severity:error notices', { severities: ['error', 'notice'] }],
  ['all', { status: 'all' }],
  ['resolved errors', { severities: ['error'], status: 'cleared' }],
  ['open alerts', {}],
  ['today', { since: 'today' }],
  ['Monday', { since: 'monday' }],
  ['24h', { since: '24h' }],
  ['last 24h', { since: '24h' }],
  ['this week', { since: '1w' }],
  ['mail for gold this week', { since: '1w', words: ['mail', 'gold'] }],
  ['for', { words: ['for'] }],
  ['"for" gold', { words: ['for', 'gold'] }],
  ['errors in the last 2 days gold', { severities: ['error'], since: '2d', words: ['gold'] }],
  ['past week', { since: '1w' }],
  ['since yesterday', { since: 'yesterday' }],
  ['since 2026-11-01', { since: '2026-11-01' }],
  ['policy gold', { policy: 'gold' }],
  ['severity error severity:warning', { severities: ['warning', 'error'] }],
  ['policy "Gold tier"', { policy: 'Gold tier' }],
  ['policy violated', { types: ['policy_violated'] }],
  [
    'errors, restore failed today',
    { severities: ['error'], types: ['restore_failed'], since: 'today' },
  ],
  ['error,warning', { severities: ['error', 'warning'] }],
  ['errors and warnings', { severities: ['error', 'warning'] }],
  ['error or tag_conflict', { severities: ['error'], types: ['tag_conflict'] }],
  ['salt and pepper', { words: ['salt', 'and', 'pepper'] }],
  ['a,b', { words: ['a,b'] }],
  ['restore_failed', { types: ['restore_failed'] }],
  ['week the last', { words: ['week', 'the', 'last'] }],
  ['not', { words: ['not'] }],
  ['errors "not" gold', { severities: ['error'], words: ['not', 'gold'] }],
  ['env=prod', { words: ['env=prod'] }],
  ['"errors" "today" "-mail"', { words: ['errors', 'today', '-mail'] }],
  ['mirror lower', { words: ['mirror', 'lower'] }],
  ['vm-12 since:1w severity:error', { severities: ['error'], since: '1w', words: ['vm-12'] }],
])('parses %j', (text, search) => {
  expect(parsed(text)).toEqual({ ...defaultSearch, ...search });
});

it.each([
  ['severty:error', 'Did you mean `severity:`? Filters: `severity:`, `status:`, `type:`,'],
  [
    'severity:eror',
    'Unknown severity “eror”. Did you mean `severity:error`? Use error, warning or notice.',
  ],
  ['severity:error,<!here>', 'Unknown severity “&lt;!here&gt;”. Use error, warning or notice.'],
  ['severity:,', 'Type a value right after `severity:`.'],
  ['policy:"Gold tier', '`"Gold tier` has no closing quotation mark. Example:'],
  ['severity:"error', '`"error` has no closing quotation mark.'],
  ['-severity:warning', "`-severity:warning` isn't a filter. Remove the text before"],
  ['arn:aws:ec2', 'To search for `arn:aws:ec2` itself, put it in quotation marks.'],
  ['status:open', 'Unknown status “open”. Use active, cleared or all.'],
  ['type:policy_violation', 'Did you mean `type:policy_violated`?'],
  ['type:quota', 'Unknown alert type “quota”. Use policy_violated,'],
  ['sort:newest', 'Unknown order “newest”. Use -updated, updated, -raised,'],
  ['sort:-rased', 'Did you mean `sort:-raised`?'],
  [
    'critical',
    "`critical` isn't a severity of this service. Severities: `error`, `warning`, `notice`.",
  ],
  ['critical', 'To search for the text, put it in quotation marks: `"critical"`.'],
  ['eror', 'Did you mean `error` instead of `eror`?'],
  ['warn', 'Did you mean `warning` instead of `warn`?'],
  ['tody', 'Did you mean `today` instead of `tody`?'],
  ['severity:error -mail', "Filters can't exclude alerts: remove `-mail`."],
  ['errors not gold', "Filters can't exclude alerts: remove `not`."],
  ['alerts all except warnings', "Filters can't exclude alerts: remove `except`."],
  ['errors and not gold', 'To search for the text, put it in quotation marks: `"not"`.'],
  ['errors this morning', 'Use `last 2h`, `2d`'],
  ['errors 2 days ago', 'Use `last 2h`, `2d`'],
  ['alerts before monday', 'Use `last 2h`, `2d`'],
  ['gold older than 2d', 'Use `last 2h`, `2d`'],
  ['today since:2d', 'Use only one time.'],
  ['all cleared', 'Use only one status.'],
  ['policy errors', 'Type the name of the policy right after `policy:`'],
  ['policy alerts', 'Type the name of the policy right after `policy:`'],
  ['policy:gold policy silver', 'Use only one policy.'],
  ['critical,error', "`critical` isn't a severity"],
  ['criticals', "`criticals` isn't a severity"],
  ['restore_failled', 'Did you mean `restore_failed`'],
  ['last 30 minutes', 'Use `last 2h`, `2d`'],
  ['30m', 'Use `last 2h`, `2d`'],
  ['15 min', 'Use `last 2h`, `2d`'],
  ['last month', 'Use `last 2h`, `2d`'],
  ['last 0d', 'Unknown time `since:0d`.'],
  ['since soon', 'Unknown time `since:soon`.'],
  ['since:99x', 'Unknown time `since:99x`. Use `2h`, `2d`, `1w`, `yesterday`, `monday` or a date'],
  ['since:Soon', 'Unknown time `since:Soon`. Use `2h`'],
  ['since:"<!here>"', 'Unknown time `since:&lt;!here&gt;`. Use `2h`'],
  ['since:0d', 'Unknown time `since:0d`.'],
  ['since:2026-13-01', 'Unknown time `since:2026-13-01`.'],
  ['since:2026-11-22', 'That date is in the future.'],
  ['policy:', 'Type a value right after `policy:`.'],
  ['policy:"\u0007"', 'one of its values is empty or longer'],
  ['status:all status:active', 'Use `status:` only once.'],
  ['x'.repeat(101), 'longer than 100 characters'],
  ['x '.repeat(1000), 'This filter is too long'],
])('refuses %j', (text, problem) => {
  expect(parseAlertSearch(text, now)).toMatchObject({ problem: expect.stringContaining(problem) });
});

it('reports all problems together, one per line', () => {
  const typed = 'sort:newest severity:eror policy:gold since:99x type:quota status:open';
  const read = parseAlertSearch(typed, now);
  expect('problem' in read && read.problem.split('\n')).toEqual([
    expect.stringContaining('Unknown severity “eror”'),
    expect.stringContaining('Unknown status “open”'),
    expect.stringContaining('Unknown alert type “quota”'),
    expect.stringContaining('Unknown time `since:99x`'),
    expect.stringContaining('Unknown order “newest”'),
  ]);
});

it("returns known values in the service's spelling", () => {
  const known = { severities: ['Notice'], types: ['quota_exhausted'] };
  expect(parseAlertSearch('severity:notice type:quota_exhausted', now, known)).toEqual({
    search: { ...defaultSearch, severities: ['Notice'], types: ['quota_exhausted'] },
  });
});

it('parses the text of any search back into that search', () => {
  const some = (...texts: string[]) => fc.constantFrom(...texts);
  const typed = fc.oneof(
    fc.string({ unit: codePoint, maxLength: 20 }),
    fc.string({
      unit: fc.constantFrom('"', ':', '<', '>', ',', ' ', '“', 'a', '-', '„', '«', '»', "'", '’'),
      maxLength: 12,
    }),
    some('severity:error', 'severity:warning,error', 'status:cleared', 'type:"Tag conflict"'),
    some('1:2 '.repeat(190), '<b> '.repeat(150)),
    some(
      'not',
      '"not" gold',
      '"before"',
      'errors',
      'all',
      'last 2 days',
      '"critical"',
      '"last" "2" "days"',
      '"policy" x',
    ),
    some('policy:"Gold & co"', 'policy:a:b', 'since:3h', 'since:2026-01-31', 'sort:severity'),
  );
  const runs = propertyRuns(500, 100);
  let readable = 0;
  fc.assert(
    fc.property(fc.array(typed, { maxLength: 5 }), (parts) => {
      const read = parseAlertSearch(parts.join(' '), now);
      if ('problem' in read) return;
      readable += 1;
      expect(parsed(formatSearch(read.search))).toEqual(read.search);
      const stored: unknown = JSON.parse(JSON.stringify(read.search));
      expect(alertSearchSchema.parse(stored)).toEqual(read.search);
    }),
    runs,
  );
  expect(readable).toBeGreaterThan(0.3 * runs.numRuns);
});

it("starts a day in the person's time zone", () => {
  const lateInBerlin = new Date('2026-11-21T23:30:00Z');
  const read = (timeZone: string | undefined) =>
    parseAlertSearch('since:2026-11-22', lateInBerlin, builtInValues, timeZone);
  const inBerlin = read('Europe/Berlin');
  if ('problem' in inBerlin) throw new Error(inBerlin.problem);
  expect(formatSearch(inBerlin.search)).toBe('since:2026-11-22');
  expect(describeSearch(inBerlin.search, lateInBerlin)).toContain('2026-11-21 23:00 UTC');
  expect(alertSearchSchema.parse(inBerlin.search)).toEqual(inBerlin.search);
  for (const zone of ['America/New_York', 'Not/There', undefined]) {
    expect(read(zone)).toEqual({ problem: expect.stringContaining('That date is in the future.') });
  }
});

it('stores no time zone with an age', () => {
  const search = { ...defaultSearch, since: '2d' };
  expect(parseAlertSearch('since:2d', now, builtInValues, 'Europe/Berlin')).toEqual({ search });
});

it('formats and describes a search', () => {
  expect(formatSearch(defaultSearch)).toBe('');
  expect(describeSearch(defaultSearch, now)).toBe('');
  const search = parsed(
    'severity:error,warning type:tag_conflict policy:Gold since:2d vm-12 "a b"',
  );
  expect(formatSearch(search)).toBe(
    'severity:error,warning type:tag_conflict policy:Gold since:2d vm-12 "a b"',
  );
  expect(describeSearch(search, now)).toMatch(
    /^error or warning, tag conflict, policy “Gold”, “vm-12”, “a b”, updated since <!date\^\d+\^[^>]*2026-11-19 12:00 UTC>$/,
  );
});
