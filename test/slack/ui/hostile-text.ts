import fc from 'fast-check';

/** Invisible, bidirectional, combining and blank characters, markup, and what Belay shows for them. */
const hostilePart = fc.constantFrom(
  ...['\u200b', '\u200c', '\u200d', '\u2060', '\ufeff', '\u00ad', '\u034f', '\u115f', '\u3164'],
  ...['\u202a', '\u202d', '\u202e', '\u2066', '\u2069', '\u200e', '\u200f', '\u061c'],
  ...['\u0301', '\u0338', '\u20dd', '\u0300\u0301\u0302\u0303\u0304\u0305\u0306', '\ufe0f'],
  ...[' ', '  ', '\t', '\n', '\r\n', '\u00a0', '\u2003', '\u2028', '\u2029', '\u3000', '\u2800'],
  ...['\0', '\u001b[2J', '\u0085', '\ud800', '\udc00', '\ue000', '\uffff', '\u{e0041}'],
  ...['*', '_', '~', '`', '```', '>', '&gt;', '<', '&', '&amp;', ':x:', ':', '|', '\\'],
  ...['∗', 'ˍ', '∼', 'ˋ', '꞉', '›', '⟨', '⟩', '⟨U+200B⟩', '⟨U+0020⟩', '…', '“', '”'],
  ...[
    '<!channel>',
    '<@U1>',
    '<https://phish.example|ok>',
    ':white_check_mark:',
    '✅',
    '👩🏽‍🚒',
    '✓',
  ],
  ...['Joana', 'Prado', 'a_b', '×', 'é', 'ليلى', 'נועה', '1'],
);

/** Any code point but a surrogate. fast-check's unit `binary` means the same and takes a second to build. */
export const codePoint = fc
  .oneof(fc.nat(0xd7ff), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map((code) => String.fromCodePoint(code));

/** A name as a hostile person, or a service, may have it. */
export const hostileText = fc
  .array(fc.oneof(hostilePart, fc.string({ unit: codePoint, maxLength: 3 })), { maxLength: 12 })
  .map((parts) => parts.join(''));

/** With something in it that a form would accept. */
export const anyText = hostileText.map((text) => `${text}.`);
