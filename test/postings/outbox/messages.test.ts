import { expect, it, test } from 'vitest';
import { withLateness } from '../../../src/postings/outbox/send.ts';
import { summaryMessage } from '../../../src/postings/outbox/summarize.ts';
import { button, context, message, notice, section } from '../../../src/slack/ui/blocks.ts';
import { noon, onePm } from '../../requests/store/rows.ts';

test.each([
  [60_000, 'said'],
  [60_001, 'said (posted 1 min late)'],
  [119 * 60_000, 'said (posted 119 min late)'],
  [5 * 3_600_000, 'said (posted 5 h late)'],
  [72 * 3_600_000, 'said (posted 3 days late)'],
])('a message that is %i ms late reads "%s"', (lateMs, text) => {
  expect(withLateness(notice('said'), { lateMs, verb: 'posted' }).text).toBe(text);
});

it('adds the lateness to a message with the maximum number of blocks', () => {
  const full = message(Array.from({ length: 50 }, () => context('x')));
  const late = withLateness(full, { lateMs: 200_000, verb: 'updated' });
  expect(late.blocks).toHaveLength(50);
  expect(late.blocks?.at(-1)).toEqual(context('Updated 3 min late'));
});

const base = {
  title: '',
  since: noon,
  lastAt: onePm,
  raised: undefined,
  isLast: false,
  now: onePm,
};

test.each([
  [{ error: 1 }, '1 more alert since', ': 1 error.'],
  [{ warning: 940, error: 300 }, '1,240 more alerts since', ': 940 warnings, 300 errors.'],
  [{ critical: 2, '': 1 }, '3 more alerts since', ': 2 critical, 1 without a severity.'],
])('a summary of %o', (counts, beginning, list) => {
  const view = button({ text: 'View', actionId: 'view', value: 'watch-1' });
  const { text, blocks } = summaryMessage({ ...base, counts }, view);
  expect(text).toMatch(new RegExp(`^\\*${beginning}`));
  expect(text).toContain(list);
  expect(blocks).toEqual([section(text, view)]);
});

it('lists the most frequent causes, each over all severities', () => {
  const counts = {
    'error\nPolicy violated · Gold': 30,
    'warning\nPolicy violated · Gold': 5,
    'error\nAccount disconnected': 4,
    'error\nRestore failed': 3,
    'warning\nFile restore failed': 2,
    'warning\n<!channel>': 1,
    error: 7,
  };
  const { text } = summaryMessage({ ...base, counts });
  expect(text).toContain('52 more alerts');
  expect(text.split('\n')).toEqual([
    expect.stringMatching(/: 44 errors, 8 warnings\.$/),
    '• Policy violated · Gold: 35',
    '• Account disconnected: 4',
    '• Restore failed: 3',
    '• 2 other causes',
  ]);
  const hostile = summaryMessage({ ...base, counts: { 'error\n<!channel>': 1 } });
  expect(hostile.text).toContain('• &lt;!channel&gt;: 1');
});

it('lists eight facets and the sum of the others', () => {
  const counts = Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`kind-${n}`, n + 1]));
  const { text } = summaryMessage({ ...base, counts });
  expect(text).toContain('78 more alerts');
  expect(text).toContain('12 kind-11');
  expect(text).toContain('5 kind-4, 10 others.');
});
