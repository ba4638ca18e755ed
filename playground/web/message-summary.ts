import { decodeEntities } from './mrkdwn/entities.ts';

const MAX_LENGTH = 80;

/** The start of a message without its markup, which tells messages apart for a screen reader. */
export function messageSummary(text: string, names: Readonly<Record<string, string>>): string {
  const plain = text
    .replace(/<@(\w+)(?:\|[^>]*)?>/g, (_, id: string) => `@${names[id] ?? id}`)
    .replace(/<[^>|]*\|([^>]*)>/g, '$1')
    .replace(/[<>*_~`]|:[\w+-]+:/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  const decoded = decodeEntities(plain);
  return decoded.length > MAX_LENGTH ? `${decoded.slice(0, MAX_LENGTH).trimEnd()}…` : decoded;
}
