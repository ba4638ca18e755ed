import { expect, it } from 'vitest';
import { parseTypedFilter } from '../../../src/slack/ui/typed-filter.ts';

const keys = ['by', 'event', 'since'] as const;

it.each([
  ['', {}, []],
  ['  two   words ', {}, ['two', 'words']],
  ['by:U1 event:denied', { by: 'U1', event: 'denied' }, []],
  ['last BY:U1', { by: 'U1' }, ['last']],
  ['by=U1 event="denied" x=y', { by: 'U1', event: 'denied' }, ['x=y']],
  ['by:"Kim Lee" "all of it"', { by: 'Kim Lee' }, ['all of it']],
  ['by:“Kim Lee”', { by: 'Kim Lee' }, []],
  ['by:<@U1|kim lee> rest', { by: '<@U1|kim lee>' }, ['rest']],
  ['by: <@U1|kim> rest', { by: '<@U1|kim>' }, ['rest']],
  ['10:30', {}, ['10:30']],
  ['since:2026-11-01', { since: '2026-11-01' }, []],
  ['by:Lee, event:denied', { by: 'Lee,', event: 'denied' }, []],
  ['event:a:b', { event: 'a:b' }, []],
  ['by:„Kim Lee“ „all of it”', { by: 'Kim Lee' }, ['all of it']],
  ['by:«Kim Lee» »all of it«', { by: 'Kim Lee' }, ['all of it']],
  ["by:'Kim Lee' ‘all of it’", { by: 'Kim Lee' }, ['all of it']],
  ["by:'Kim's disk' O'Brien don’t", { by: "Kim's disk" }, ["O'Brien", 'don’t']],
  ['by:"Kim «K» Lee" «a "b" c»', { by: 'Kim «K» Lee' }, ['a "b" c']],
  ['https://host/by:x by:http://host', { by: 'http://host' }, ['https://host/by:x']],
  ['<https://host/by:x> say"ing by"', {}, ['<https://host/by:x>', 'say', 'ing by']],
])('reads %j', (text, values, words) => {
  const isQuoted = expect.any(Boolean);
  const typed = words.map((word) => ({ text: word, isQuoted }));
  expect(parseTypedFilter(text, keys)).toEqual({ values, words: typed });
});

it.each([
  ['evnt:denied', 'Unknown filter `evnt:`. Did you mean `event:`? Filters: `by:`, '],
  ['colour:red', 'Unknown filter `colour:`. Filters: `by:`, `event:`, `since:`.'],
  ['by: U1', 'Type a value right after `by:`.'],
  ['by:', 'Type a value right after `by:`.'],
  ['by:""', 'Type a value right after `by:`.'],
  ['by:U1 by:U2', 'Use `by:` only once.'],
  ['by:"Kim Lee', '`"Kim Lee` has no closing quotation mark.'],
  ['last by:„Kim Lee', '`„Kim Lee` has no closing quotation mark.'],
  ["by:'Kim Lee", "`'Kim Lee` has no closing quotation mark."],
  ['by:"Kim" Lee"', '`"` has no closing quotation mark.'],
  ['-event:denied', "`-event:denied` isn't a filter. Remove the text before `event:`."],
  [
    'by:Lee, Kim',
    '`by:Lee,` ends with a comma. Put a value with spaces in quotation marks: `by:"Lee, Kim"`.',
  ],
  ['by:Lee, "Kim P." Jr event:denied', '`by:"Lee, Kim P. Jr"`'],
  ['last,by:U1', "`last,by:U1` isn't a filter. Remove the text before `by:`."],
])('rejects %j', (text, problem) => {
  expect(parseTypedFilter(text, keys)).toEqual({ problem: expect.stringContaining(problem) });
});

it('says which words were in quotation marks', () => {
  expect(parseTypedFilter('one "two"', keys)).toEqual({
    values: {},
    words: [
      { text: 'one', isQuoted: false },
      { text: 'two', isQuoted: true },
    ],
  });
});

it('says how to search for text with a colon, if words are allowed', () => {
  const read = (text: string) => parseTypedFilter(text, keys, { hasWords: true });
  const hint = (text: string) => ({
    problem: expect.stringContaining(
      `To search for \`${text}\` itself, put it in quotation marks.`,
    ),
  });
  expect(read('arn:aws:s3 x')).toEqual(hint('arn:aws:s3'));
  expect(read('-event:denied')).toEqual(hint('-event:denied'));
  expect(read('"arn:aws:s3" «-event:denied»')).toEqual({
    values: {},
    words: [
      { text: 'arn:aws:s3', isQuoted: true },
      { text: '-event:denied', isQuoted: true },
    ],
  });
  expect(read('evnt:denied')).toEqual({
    problem: expect.not.stringContaining('in quotation marks'),
  });
  expect(parseTypedFilter('arn:aws:s3', keys)).toEqual({
    problem: expect.not.stringContaining('in quotation marks'),
  });
});
