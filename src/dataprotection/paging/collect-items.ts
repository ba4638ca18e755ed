import { ServiceTimeoutError } from '../http/errors.ts';
import type { Page } from './page.ts';

/**
 * The items that match, each once even if the list changes while it is read. `isComplete` is false if time
 * ran out before the last page: an incomplete list, marked as such, helps more than a failure.
 * @throws {ServiceError} also if time ran out and nothing was found.
 */
export async function collectItems<Item extends { id: string }>(
  pages: AsyncIterable<Page<Item>>,
  matches: (item: Item) => boolean = () => true,
): Promise<{ items: Item[]; isComplete: boolean }> {
  const found = new Map<string, Item>();
  let isComplete = true;
  try {
    for await (const { items } of pages) {
      for (const item of items) if (matches(item)) found.set(item.id, item);
    }
  } catch (error) {
    if (!(error instanceof ServiceTimeoutError) || found.size === 0) throw error;
    isComplete = false;
  }
  return { items: [...found.values()], isComplete };
}
