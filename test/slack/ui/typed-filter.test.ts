import { expect, it } from 'vitest';
import { parseTypedFilter } from '../../../src/slack/ui/typed-filter.ts';

const keys = ['by', 'event', 'since'] as const;

it.each([
  ['', {}, []],
  ['  two   words ', {}, ['two', 'words']],
  ['by:U1 event:denied', { by: 'U1', event: 'denied' }, []],
  ['last BY:U1', { by: 'U1' }, ['last']],
  ['by:"Kim Lee" "all of it"', { by: 'Kim Lee' }, ['all of it']],
  ['by:“Kim Lee”', { by: 'Kim Lee' }, []],
  ['by:<@U1|kim lee> rest', { by: '<@U1|kim lee>' }, ['rest']],
  ['by: <@U1|kim> rest', { by: '<@U1|kim>' }, ['rest']],
  ['10:30', {}, ['10:30']],
  ['since:2026-11-01', { since: '2026-11-01' }, []],
  ['event:a:b', { event: 'a:b' }, []],
  ['by:„Kim Lee“ „all of it”', { by: 'Kim Lee' }, ['all of it']],
  ['by:«Kim Lee» »all of it«', { by: 'Kim Lee' }, ['all of it']],
  ["by:'Kim Lee' ‘all of it’", { by: 'Kim Lee' }, ['all of it']],
  ["by:'Kim's disk' O'Brien don’t", { by: "Kim's disk" }, ["O'Brien", 'don’t']],
  ['by:"Kim «K» Lee" «a "b" c»', { by: 'Kim «K» Lee' }, ['a "b" c']],
  ['https://host/by:x by:http://host', { by: 'http://host' }, ['https://host/by:x']],
  ['<https://host/by:x> say"ing by"', {}, ['<https://host/by:x>', 'say', 'ing by']],
])('reads %j', (text, values, words) => {
  expect(parseTypedFilter(text, keys)).toEqual({ values, words });
});

it.each([
  ['evnt:denied', 'Belay knows no filter `evnt:`. Did you mean `event:`? There are: `by:`, '],
  ['colour:red', 'Belay knows no filter `colour:`. There are: `by:`, `event:`, `since:`.'],
  ['by: U1', '`by:` needs a value right behind the colon.'],
  ['by:', '`by:` needs a value right behind the colon.'],
  ['by:""', '`by:` needs a value right behind the colon.'],
  ['by:U1 by:U2', '`by:` is there twice.'],
  ['by:"Kim Lee', '`"Kim Lee` begins with a quote that is never closed.'],
  ['last by:„Kim Lee', '`„Kim Lee` begins with a quote that is never closed.'],
  ["by:'Kim Lee", "`'Kim Lee` begins with a quote that is never closed."],
  ['by:"Kim" Lee"', '`"` begins with a quote that is never closed.'],
  ['-event:denied', '`-event:denied` is no filter, because something stands before `event:`.'],
  ['last,by:U1', '`last,by:U1` is no filter, because something stands before `by:`.'],
])('rejects %j', (text, problem) => {
  expect(parseTypedFilter(text, keys)).toEqual({ problem: expect.stringContaining(problem) });
});

it('says how to search for text with a colon, if words are allowed', () => {
  const read = (text: string) => parseTypedFilter(text, keys, { hasWords: true });
  const hint = (text: string) => ({
    problem: expect.stringContaining(`To look for \`${text}\` as it stands, put it in quotes.`),
  });
  expect(read('arn:aws:s3 x')).toEqual(hint('arn:aws:s3'));
  expect(read('-event:denied')).toEqual(hint('-event:denied'));
  expect(read('"arn:aws:s3" «-event:denied»')).toEqual({
    values: {},
    words: ['arn:aws:s3', '-event:denied'],
  });
  expect(read('evnt:denied')).toEqual({ problem: expect.not.stringContaining('in quotes') });
  expect(parseTypedFilter('arn:aws:s3', keys)).toEqual({
    problem: expect.not.stringContaining('in quotes'),
  });
});
