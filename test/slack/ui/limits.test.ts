import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cut } from '../../../src/slack/ui/limits.ts';

const text = fc.string({ unit: 'grapheme', maxLength: 40 });
const max = fc.integer({ min: 1, max: 40 });

describe('cut', () => {
  it('is never longer than the maximum', () => {
    fc.assert(fc.property(text, max, (whole, most) => cut(whole, most).length <= most));
  });

  it('never splits a surrogate pair', () => {
    fc.assert(fc.property(text, max, (whole, most) => cut(whole, most).isWellFormed()));
    expect(cut('😀😀', 2)).toBe('…');
    expect(cut('😀😀', 3)).toBe('😀…');
  });

  it('leaves text that fits unchanged, and marks a cut with an ellipsis', () => {
    fc.assert(
      fc.property(text, max, (whole, most) => {
        const kept = cut(whole, most);
        if (whole.length <= most) return kept === whole;
        return kept.endsWith('…') && whole.startsWith(kept.slice(0, -1));
      }),
    );
  });
});
