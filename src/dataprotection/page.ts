import { z } from 'zod';
import { idSchema, optional } from './lenient-object.ts';
import { type Link, linksSchema } from './link.ts';

/**
 * One page of a list (contract, section 2). `start` is the 1-based position of its first item;
 * counts are items, except `totalPagesCount`; `limit` is the page size.
 */
export type Page<Item> = {
  items: Item[];
  start?: string | undefined;
  totalCount?: number | undefined;
  totalPagesCount?: number | undefined;
  currentCount?: number | undefined;
  limit?: number | undefined;
  links: Record<string, Link>;
};

/** Reads the list envelope. Only the items must be there, or a count that says there are none. */
export function pageSchema<Item>(itemSchema: z.ZodType<Item>): z.ZodType<Page<Item>> {
  const count = optional(z.int().nonnegative());
  return z
    .object({
      start: optional(idSchema),
      total_count: count,
      total_pages_count: count,
      current_count: count,
      limit: count,
      _links: linksSchema.optional(),
      _embedded: z.object({ items: z.array(itemSchema).nullish() }).nullish(),
    })
    .transform((envelope, context) => {
      const items = envelope._embedded?.items;
      const saysNone = envelope.total_count === 0 || envelope.current_count === 0;
      if (!items && !saysNone) {
        context.addIssue({ code: 'custom', path: ['_embedded', 'items'], message: 'missing' });
        return z.NEVER;
      }
      return {
        items: items ?? [],
        start: envelope.start,
        totalCount: envelope.total_count,
        totalPagesCount: envelope.total_pages_count,
        currentCount: envelope.current_count,
        limit: envelope.limit,
        links: envelope._links ?? {},
      };
    });
}
