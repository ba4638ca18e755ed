const characters: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' };

/** Decodes Slack's three entities once: `&amp;lt;` becomes `&lt;`. */
export function decodeEntities(text: string): string {
  return text.replace(/&(?:amp|lt|gt);/g, (entity) => characters[entity] ?? entity);
}
