/**
 * Whether the reason contains the text of a rule's `reasonFormat`, in which `#` stands for one or more
 * digits. The time is proportional to both lengths, for any input.
 */
export function fitsReasonFormat(reason: string, format: string): boolean {
  const tokens = [...format.toLowerCase().replaceAll(/#+/g, '#')];
  // How many tokens each attempt to match, begun at any character before, has matched.
  let matched = new Set<number>();
  for (const character of reason.toLowerCase()) {
    const next = new Set<number>();
    for (const count of [...matched, 0]) {
      const isDigit = /\d/.test(character);
      if (tokens[count] === '#' ? isDigit : tokens[count] === character) next.add(count + 1);
      if (isDigit && tokens[count - 1] === '#') next.add(count);
    }
    if (next.has(tokens.length)) return true;
    matched = next;
  }
  return false;
}

/** What a form says below the field of the reason. */
export function reasonHint(format: string | undefined): string {
  const visible = 'Visible to everyone who can see the request.';
  return format === undefined ? visible : `Include ${describeFormat(format)}. ${visible}`;
}

/** Why a form or a request with this reason is refused: plain text; undefined if it isn't. */
export function reasonProblem(reason: string, format: string | undefined): string | undefined {
  if (format === undefined || fitsReasonFormat(reason, format)) return undefined;
  return `The reason must include ${describeFormat(format)}.`;
}

function describeFormat(format: string): string {
  const example = format.replaceAll(/#+/g, '123');
  return example === format ? `the text "${format}"` : `a reference such as ${example}`;
}
