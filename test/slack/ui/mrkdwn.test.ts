import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  age,
  bold,
  channelMention,
  code,
  cutMrkdwn,
  escapeMrkdwn,
  mention,
  mentionedUser,
  moment,
  safe,
  stripLinks,
  unescapeMrkdwn,
} from '../../../src/slack/ui/mrkdwn.ts';

/** Text full of mrkdwn, entities and surrogate pairs. */
const hostileText = fc
  .array(
    fc.oneof(
      fc.constantFrom('<', '>', '&', '&lt;', '<!channel>', '<@U1>', '`', '*', '_', '\n', '😀', '|'),
      fc.string({ unit: 'grapheme', maxLength: 5 }),
    ),
    { maxLength: 60 },
  )
  .map((parts) => parts.join(''));
const anyMax = fc.integer({ min: 1, max: 120 });

const entities = /&(amp|lt|gt);/g;
const loneSurrogate = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;

describe('text from outside', () => {
  it.each([
    ['safe', safe],
    ['bold', bold],
    ['code', code],
    ['escapeMrkdwn', escapeMrkdwn],
  ])('%s escapes every bracket and ampersand', (_, draw) => {
    fc.assert(
      fc.property(hostileText, anyMax, (text, max) => {
        const drawn = draw(text, max);
        expect(drawn).not.toMatch(/[<>]/);
        expect(drawn.replaceAll(entities, '')).not.toContain('&');
      }),
    );
  });

  it('is restored by unescaping', () => {
    fc.assert(fc.property(hostileText, (text) => unescapeMrkdwn(escapeMrkdwn(text)) === text));
  });

  it('is unescaped once, not twice', () => {
    expect(unescapeMrkdwn('&amp;lt;')).toBe('&lt;');
  });

  it('is truncated to the given visible length', () => {
    fc.assert(
      fc.property(hostileText, anyMax, (text, max) => {
        expect(unescapeMrkdwn(safe(text, max)).length).toBeLessThanOrEqual(max);
      }),
    );
  });

  it('can’t end bold or code early', () => {
    fc.assert(
      fc.property(hostileText, anyMax, (text, max) => {
        expect(bold(text, max)).toMatch(/^\*[^*`\n]+\*$/);
        expect(code(text, max)).toMatch(/^`[^`\n]+`$/);
      }),
    );
  });

  it.each([
    ['safe', safe],
    ['bold', bold],
    ['code', code],
  ])('%s removes bidirectional control characters', (_, draw) => {
    const bidiControl = fc.constantFrom(
      ...'\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2069',
    );
    const bidiText = fc.array(fc.oneof(bidiControl, hostileText), { maxLength: 20 });
    fc.assert(
      fc.property(bidiText, anyMax, (parts, max) => {
        expect(draw(parts.join(''), max)).not.toMatch(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/);
      }),
    );
  });

  it.each(['', ' ', '\n\t', '\u202e'])('has a placeholder when it is %j', (blank) => {
    expect(bold(blank)).toBe('*(no name)*');
    expect(code(blank)).toMatch(/^`[^`\s]/);
  });
});

describe('cutMrkdwn', () => {
  /** Text that Belay composes: escaped words, entities, formatting. */
  const composed = fc
    .array(
      fc.oneof(
        hostileText.map(escapeMrkdwn),
        fc.constantFrom(mention('U0ANA00001'), channelMention('C1'), moment(new Date(0)), '*b* '),
      ),
      { maxLength: 20 },
    )
    .map((parts) => parts.join(''));

  it('is never longer than the maximum, and leaves short text unchanged', () => {
    fc.assert(
      fc.property(composed, anyMax, (text, max) => {
        const shown = cutMrkdwn(text, max);
        expect(shown.length).toBeLessThanOrEqual(max);
        if (text.length <= max) expect(shown).toBe(text);
        else expect(shown).toMatch(/…$/);
      }),
    );
  });

  it('never splits an entity, a link or a character', () => {
    fc.assert(
      fc.property(composed, anyMax, (text, max) => {
        const shown = cutMrkdwn(text, max);
        expect(shown.replaceAll(/<[^<>]*>/g, '')).not.toMatch(/[<>]/);
        expect(shown.replaceAll(entities, '')).not.toContain('&');
        expect(shown).not.toMatch(loneSurrogate);
      }),
      { numRuns: 500 },
    );
  });

  it('preserves entities that fit', () => {
    expect(cutMrkdwn('a &lt; b and more', 7)).toBe('a &lt;…');
    expect(cutMrkdwn('a &lt; b and more', 6)).toBe('a …');
    expect(cutMrkdwn('<@U1> and more', 6)).toBe('<@U1>…');
    expect(cutMrkdwn('<@U1> and more', 5)).toBe('…');
  });
});

describe('a date', () => {
  it('is a Slack date with UTC as the fallback', () => {
    const at = new Date('2026-03-01T12:34:56.789Z');
    expect(moment(at)).toBe(
      '<!date^1772368496^{date_short_pretty} at {time}|2026-03-01 12:34 UTC>',
    );
    expect(age(at)).toBe('<!date^1772368496^{ago}|2026-03-01 12:34 UTC>');
  });
});

describe('typed text', () => {
  it.each([
    ['<@U0BEN|ben>', 'U0BEN'],
    [' <@W0BEN> ', 'W0BEN'],
    ['<@B0BOT>', undefined],
    ['<@U0BEN> and more', undefined],
    ['<!channel>', undefined],
    ['U0BEN', undefined],
    ['&lt;@U0BEN&gt;', undefined],
  ])('%s names the person %s', (typed, person) => {
    expect(mentionedUser(typed)).toBe(person);
  });

  it.each([
    ['<mailto:kim@x.example|kim@x.example>', 'kim@x.example'],
    ['of <http://x.example|x.example> and <https://y.example|y>', 'of x.example and y'],
    ['<tel:+4912345678|+49 123 456 78>', '+49 123 456 78'],
    [
      '<https://x.example/a?b=1&amp;c=2> <mailto:kim@x.example>',
      'https://x.example/a?b=1&amp;c=2 kim@x.example',
    ],
    ['policy:"<http://gold.example|gold.example> weekly"', 'policy:"gold.example weekly"'],
    ['<@U0BEN|ben> R&amp;D &lt;mailto:a|b&gt;', '<@U0BEN|ben> R&amp;D &lt;mailto:a|b&gt;'],
  ])('%s is %s without links', (typed, plain) => {
    expect(stripLinks(typed)).toBe(plain);
  });
});

it('keeps the hours of a window, which no emoji has in its name', () => {
  expect(safe('window 22:00–06:00')).toBe('window 22:00–06:00');
  expect(safe('22:00–06:00:tada:')).toBe('22:00–06꞉00꞉tada:');
});
