/** `plural(1, 'alert')` is "1 alert", `plural(3, 'policy', 'policies')` is "3 policies". */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** The same text with its first letter in upper case. */
export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** "a, b and c". */
export function joinWords(words: readonly string[], conjunction: 'and' | 'or'): string {
  const last = words.at(-1) ?? '';
  return words.length > 1 ? `${words.slice(0, -1).join(', ')} ${conjunction} ${last}` : last;
}

/** "a, b, 3 more": the first of them, `max` at most. */
export function listFirst(texts: string[], max: number): string {
  const more = texts.length - max;
  return [...texts.slice(0, max), ...(more > 0 ? [`${more} more`] : [])].join(', ');
}
