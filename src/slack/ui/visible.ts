/**
 * Shows text of people and the service so that nothing in it is hidden. A character that shows
 * nothing, or that moves or covers what is around it, appears as its code point: `⟨U+202E⟩`. The
 * bracket `⟨` itself appears as `⟨U+27E8⟩`, so that nobody can imitate one.
 */

/**
 * Control, format, private and unassigned characters, spaces but U+0020, other blanks, and combining
 * marks that have nothing to sit on or are stacked more than four high.
 */
const hidden =
  /[[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800\u{1d159}⟨]--[ ]]|(?<![\p{L}\p{N}\p{P}\p{S}]\p{M}{0,3})\p{M}/gv;

/** A space that can't be seen: at the start, at the end, or after another. */
const hiddenSpace = /(?<=^| ) | $/g;

/** Symbols with which a text could imitate an icon or a verdict. */
const pictograph =
  /[[\p{Extended_Pictographic}\p{Emoji_Presentation}\u2700-\u27bf]--[\xa9\xae\u2122]]/gv;

export function codePoint(character: string): string {
  const hex = (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
  return `⟨U+${hex.padStart(4, '0')}⟩`;
}

/** Prose, with its line breaks; tabs count as spaces. */
export function showHidden(text: string): string {
  const lines = text.replaceAll(/\r\n?/g, '\n').replaceAll('\t', ' ').split('\n');
  return lines.map((line) => line.replaceAll(hidden, codePoint)).join('\n');
}

/** A name, on one line: no two names look the same because of characters that can't be seen. */
export function showExactly(text: string): string {
  return text.replaceAll(hidden, codePoint).replaceAll(hiddenSpace, codePoint);
}

/** The words of a person: as `showHidden`, without emoji. */
export function showWords(text: string): string {
  return showHidden(text).replaceAll(pictograph, codePoint);
}

/** The text that `showExactly` was given. */
export function readCodePoints(shown: string): string {
  return shown.replaceAll(/⟨U\+([0-9A-F]{4,6})⟩/g, (_, hex: string) =>
    String.fromCodePoint(Number.parseInt(hex, 16)),
  );
}

/** Whether any character of the text can be seen. */
export function isVisible(text: string): boolean {
  const hasVisibleAscii = /[!-~]/.test(text);
  return (
    hasVisibleAscii || text.replaceAll(hidden, (one) => (one === '⟨' ? one : '')).trim() !== ''
  );
}

/** The characters that can't be seen, spaces aside. */
export function hiddenCharacters(text: string): string[] {
  return (text.match(hidden) ?? []).filter((one) => one !== '⟨');
}
