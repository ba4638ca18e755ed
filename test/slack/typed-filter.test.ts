import { expect, it } from 'vitest';
import { nearestOf, parseTypedFilter } from '../../src/slack/typed-filter.ts';

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
])('does not take %j', (text, problem) => {
  expect(parseTypedFilter(text, keys)).toEqual({ problem: expect.stringContaining(problem) });
});

it('guesses only what is near', () => {
  expect(nearestOf('aproved', ['approved', 'denied'])).toBe('approved');
  expect(nearestOf('x', ['approved', 'denied'])).toBeUndefined();
});
