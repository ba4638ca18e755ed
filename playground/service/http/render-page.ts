import { type Answer, json } from './response.ts';

/**
 * A list's answer from items that are JSON already. Serialising each item once, however often its
 * page is read, keeps a list of a hundred thousand cheap enough to measure a client with.
 */
export function renderPage(envelope: object, itemTexts: readonly string[]): Answer {
  const around = json(200, { ...envelope, _embedded: { items: [] } });
  const opening = around.text.slice(0, -']}}'.length);
  return { ...around, text: `${opening}${itemTexts.join(',')}]}}` };
}

/** Remembers what it rendered for as long as the item itself is remembered. */
export function renderOnce<T extends object>(render: (item: T) => unknown): (item: T) => string {
  const rendered = new WeakMap<T, string>();
  return (item) => {
    const text = rendered.get(item) ?? JSON.stringify(render(item));
    rendered.set(item, text);
    return text;
  };
}
