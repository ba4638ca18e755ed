/** What Slack keeps between angle brackets: a mention, a date or special mention, a link. */
const CONTROL_OR_BRACKET = /<(?:[@#!][^<>\s][^<>]*|(?:https?|mailto|tel|slack):[^<>]+)>|[<>]/g;

const escapeBracket = (found: string): string => {
  if (found === '<') return '&lt;';
  if (found === '>') return '&gt;';
  return found;
};

/** Text from an app as Slack stores it: `&`, `<` and `>` that mean nothing become entities. */
export const normalizeMrkdwn = (text: string): string =>
  text.replaceAll(/&(?!(?:amp|lt|gt);)/g, '&amp;').replaceAll(CONTROL_OR_BRACKET, escapeBracket);

/** Text from a person's keyboard: all three characters become entities. */
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

/** The same for every mrkdwn text object anywhere within blocks; plain_text stays as it is. */
export const normalizeBlocks = <T>(blocks: T): T => {
  const copy = structuredClone(blocks);
  normalizeInPlace(copy);
  return copy;
};
