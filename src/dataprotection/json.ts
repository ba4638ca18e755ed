import { parseJson } from '../json.ts';

export type JsonObject = Record<string, unknown>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A number that JavaScript would round. `JSON.stringify` writes it as text, so it must not be sent. */
export class UnroundedNumber {
  readonly digits: string;

  constructor(digits: string) {
    this.digits = digits;
  }

  toJSON(): string {
    return `${this.digits} (number)`;
  }
}

/** Numbers of 15 digits and a common size are exact, and most responses have no others. */
const mayBeRounded = /(?:^|[:,[])\s*-?(?:[\d.]{16}|[\d.]+e[+-]?\d{3})/i;

/** As `parseJson`, with an `UnroundedNumber` for each number that would be rounded. Slower. */
export function parseExactJson(text: string): unknown {
  const json = parseJson(text);
  return json === undefined || !mayBeRounded.test(text) ? json : JSON.parse(text, unrounded);
}

function unrounded(_name: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source;
  if (typeof value !== 'number' || source === undefined) return value;
  return significant(String(value)) === significant(source) ? value : new UnroundedNumber(source);
}

/** The digits of a number without leading and trailing zeros, which its exponent can stand for. */
function significant(number: string): string {
  const digits = number.replace(/e.*/i, '').replaceAll(/\D/g, '');
  // Spaces instead of zeros, because trimming takes linear time.
  return digits.replaceAll('0', ' ').trim();
}
