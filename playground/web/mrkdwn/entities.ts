const characters: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' };

/** The three entities that Slack knows, decoded once: `&amp;lt;` reads `&lt;`. */
export function decodeEntities(text: string): string {
  return text.replace(/&(?:amp|lt|gt);/g, (entity) => characters[entity] ?? entity);
}
