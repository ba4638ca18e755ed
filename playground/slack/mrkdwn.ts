/** Markup that stays in angle brackets: mentions, dates and links. */
const CONTROL_OR_BRACKET = /<(?:[@#!][^<>\s][^<>]*|(?:https?|mailto|tel|slack):[^<>]+)>|[<>]/g;

const escapeBracket = (found: string): string => {
  if (found === '<') return '&lt;';
  if (found === '>') return '&gt;';
  return found;
};

/** Text from an app as Slack stores it: `&`, `<` and `>` outside of markup become entities. */
export const normalizeMrkdwn = (text: string): string =>
  text.replaceAll(/&(?!(?:amp|lt|gt);)/g, '&amp;').replaceAll(CONTROL_OR_BRACKET, escapeBracket);

/** Text that a person typed: all three characters become entities. */
export const escapeTyped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const normalizeInPlace = (value: unknown): void => {
  if (Array.isArray(value)) {
    for (const one of value) normalizeInPlace(one);
    return;
  }
  if (!isRecord(value)) return;
  if (value.type === 'mrkdwn' && typeof value.text === 'string') {
    value.text = normalizeMrkdwn(value.text);
  }
  for (const one of Object.values(value)) normalizeInPlace(one);
};

/** Normalizes every mrkdwn text object in blocks; plain_text stays as it is. */
export const normalizeBlocks = <T>(blocks: T): T => {
  const copy = structuredClone(blocks);
  normalizeInPlace(copy);
  return copy;
};
