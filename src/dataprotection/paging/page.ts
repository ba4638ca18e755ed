import { z } from 'zod';
import { idSchema } from '../lenient-object.ts';
import { type Link, readLinks } from './link.ts';

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

const count = z.unknown().transform(toCount).optional();

function toCount(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

const itemsSchema = z.custom<unknown[]>(Array.isArray, 'not a list');

/**
 * The list envelope, its items left as they came. Only they must be there, or a count that says
 * there are none.
 */
export const envelopeSchema = z
  .object({
    start: z.unknown().transform(idSchema.parseFast).optional(),
    total_count: count,
    total_pages_count: count,
    current_count: count,
    limit: count,
    _links: z.unknown().transform(readLinks).optional(),
    _embedded: z.object({ items: itemsSchema.nullish() }).nullish(),
  })
  .refine(
    ({ total_count, current_count, _embedded }) =>
      _embedded?.items || total_count === 0 || current_count === 0,
    { path: ['_embedded', 'items'], error: 'missing' },
  );

/** No `transform` of the schema: zod would keep page after page until a full collection. */
export function pageOf(envelope: z.output<typeof envelopeSchema>): Page<unknown> {
  return {
    items: envelope._embedded?.items ?? [],
    start: envelope.start,
    totalCount: envelope.total_count,
    totalPagesCount: envelope.total_pages_count,
    currentCount: envelope.current_count,
    limit: envelope.limit,
    links: envelope._links ?? {},
  };
}
