import { z } from 'zod';
import { idSchema } from '../lenient-object.ts';
import { type Link, readLinks } from './link.ts';

/**
 * One page of a list (§2 Resources and their fields, list envelope). `start` is the 1-based
 * position of its first item; `totalCount` are the items of the list, `limit` is the page size.
 */
export type Page<Item> = {
  items: Item[];
  start?: string | undefined;
  totalCount?: number | undefined;
  limit?: number | undefined;
  links: Record<string, Link>;
};

const count = z.unknown().transform(toCount).optional();

function toCount(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

const itemsSchema = z.custom<unknown[]>(Array.isArray, 'not a list');

/** The list envelope with unparsed items. Only items are required, or a count of zero. */
export const envelopeSchema = z
  .object({
    start: z.unknown().transform(idSchema.parseFast).optional(),
    total_count: count,
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

/** Not a `transform` of the schema: zod would hold every page until a full garbage collection. */
export function toPage(envelope: z.output<typeof envelopeSchema>): Page<unknown> {
  return {
    items: envelope._embedded?.items ?? [],
    start: envelope.start,
    totalCount: envelope.total_count,
    limit: envelope.limit,
    links: envelope._links ?? {},
  };
}
