import { describe, expect, it } from 'vitest';
import { suggest, suggestSimilar } from '../../../src/slack/ui/suggest.ts';

describe('suggest', () => {
  it('suggests the name that is closest to a typo', () => {
    expect(suggest('aproved', ['approved', 'denied'])).toBe('approved');
  });

  it('returns nothing when no name is close', () => {
    expect(suggest('x', ['approved', 'denied'])).toBeUndefined();
    expect(suggest('approved', [])).toBeUndefined();
  });

  it('prefers the first of several names at the same distance', () => {
    expect(suggest('alart', ['alert', 'apart'])).toBe('alert');
  });

  it('accepts the beginning of a name only if prefixes are allowed', () => {
    expect(suggest('comp', ['users', 'compliance'])).toBeUndefined();
    expect(suggest('comp', ['users', 'compliance'], { matchesPrefixes: true })).toBe('compliance');
  });
});

describe('suggestSimilar', () => {
  const policies = ['Daily EBS', 'Daily RDS', 'Weekly', 'Daily S3'].map((name) => ({ name }));
  const namesFor = (typed: string, max = 3) =>
    suggestSimilar(typed, policies, max).map(({ name }) => name);

  it('ranks candidates that differ in at most half of the typed text, case-insensitively', () => {
    expect(namesFor('DAILY EBX')).toEqual(['Daily EBS', 'Daily RDS', 'Daily S3']);
    expect(namesFor('weeklies')).toEqual(['Weekly']);
    expect(namesFor('zzzz')).toEqual([]);
  });

  it('returns at most the given number', () => {
    expect(namesFor('daily ebx', 1)).toEqual(['Daily EBS']);
  });
});
