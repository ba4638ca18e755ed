/** One line as RFC 4180 has it; objects are written as JSON. */
export function csvLine(values: readonly unknown[]): string {
  return `${values.map(field).join(',')}\r\n`;
}

function field(value: unknown): string {
  const text = guarded(asText(value));
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function asText(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** A spreadsheet would take what begins like this for a formula, and run it. */
function guarded(text: string): string {
  return /^\s*[=+\-@＝＋－＠]/.test(text) && !/^-?\d+$/.test(text) ? `'${text}` : text;
}
