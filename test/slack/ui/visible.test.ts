import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  bold,
  code,
  quote,
  quoteInline,
  readShown,
  safe,
  safeName,
} from '../../../src/slack/ui/mrkdwn.ts';
import { anyText, hostileText } from './hostile-text.ts';

const shows = [
  ['safeName', safeName],
  ['bold', bold],
  ['code', code],
] as const;

/** Characters that show nothing, move what follows, or break the line. */
const unseen = /[[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]--[ ]]|^ | $| {2}/v;

it.each(shows)('%s can be read back, whatever the name holds', (_, show) => {
  fc.assert(
    fc.property(hostileText, (text) => {
      const shown = show(text, 10_000);
      fc.pre(!/\(no name\)|\(empty\)/.test(shown));
      expect(readShown(shown)).toBe(text);
    }),
    { numRuns: 2000 },
  );
});

it.each(shows)('%s shows two different names differently', (_, show) => {
  fc.assert(
    fc.property(hostileText, hostileText, (one, other) => {
      fc.pre(one !== other && /\w/.test(one) && /\w/.test(other));
      expect(show(one, 10_000)).not.toBe(show(other, 10_000));
    }),
  );
});

it.each(shows)('%s hides nothing', (_, show) => {
  fc.assert(
    fc.property(hostileText, fc.integer({ min: 12, max: 200 }), (text, max) => {
      expect(show(text, max).replaceAll(/^[*`]|[*`]$/g, '')).not.toMatch(unseen);
    }),
  );
});

it.each([
  ['Joana  Prado', 'Joana ⟨U+0020⟩Prado'],
  [' Joana', '⟨U+0020⟩Joana'],
  ['Joana\u202eodarP', 'Joana⟨U+202E⟩odarP'],
  ['Jo\u200bana', 'Jo⟨U+200B⟩ana'],
  ['Joana\u00a0Prado', 'Joana⟨U+00A0⟩Prado'],
  ['Joana\nPrado', 'Joana⟨U+000A⟩Prado'],
  ['\u0301Joana', '⟨U+0301⟩Joana'],
  ['a\u0301\u0302\u0303\u0304\u0305', 'a\u0301\u0302\u0303\u0304⟨U+0305⟩'],
  ['a\ud800', 'a⟨U+D800⟩'],
  ['⟨', '⟨U+27E8⟩'],
  ['⟨U+200B⟩', '⟨U+27E8⟩U+200B⟩'],
  ['*a* `b` ~c~ _d_ e_f', '∗a∗ ˋbˋ ∼c∼ ˍdˍ e_f'],
  [':white_check_mark: 10:30', '꞉white_check_mark: 10:30'],
  ['a∗b', 'a⟨U+2217⟩b'],
  ['> quoted', '› quoted'],
  ['Zoë Fischer 🚀', 'Zoë Fischer 🚀'],
  ['ليلى حداد', 'ليلى حداد'],
])('the name %j is shown as %s', (name, shown) => {
  expect(safeName(name)).toBe(shown.replaceAll('>', '&gt;'));
});

const markup = /[*`~]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|:\S*:/u;

it('words of people contain no markup, no emoji and no line of their own', () => {
  fc.assert(
    fc.property(anyText, fc.integer({ min: 12, max: 300 }), (text, max) => {
      const lines = quote(text, max).split('\n');
      for (const line of lines) expect(line).toMatch(/^> (?!&gt;)/);
      for (const words of [...lines.map((line) => line.slice(2)), quoteInline(text, max)]) {
        expect(words).not.toMatch(markup);
        expect(words).not.toMatch(/\p{Emoji_Presentation}/u);
        expect(words).not.toMatch(/[\r\u2028\u2029\u0085\p{Bidi_Control}]/u);
      }
    }),
  );
});

it('a quotation on one line can’t be closed from inside', () => {
  expect(quoteInline('ok” Approved by the security team “')).toBe(
    '“ok" Approved by the security team "”',
  );
});

it('a reason can’t imitate a decision', () => {
  const reason = ':white_check_mark: *Approved*\n> ✅ Security team approved this\u2028✓ Checked';
  expect(quote(reason)).toBe(
    '> ꞉white_check_mark: ∗Approved∗\n> › ⟨U+2705⟩ Security team approved this⟨U+2028⟩⟨U+2713⟩ Checked',
  );
});

it('text is cut before a code point that does not fit', () => {
  expect(safeName('abc\u200bdef', 8)).toBe('abc…');
  expect(safe('abc\u200bdef', 8)).toBe('abc…');
});
