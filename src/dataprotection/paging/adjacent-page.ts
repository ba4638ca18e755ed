import { type Dialect, dialectRules } from '../dialects/dialect.ts';
import type { Link } from './link.ts';
import type { Page } from './page.ts';

/** A page by a link of the service, or by the `start` parameter. */
export type PageTarget = { link: Link } | { start: string };

/**
 * The previous, next or last page (§2 Resources and their fields, list envelope): by the service's
 * link, else computed if `start` is a position in this dialect. If a service links its pages but
 * has no next link, there is no next page: its `start` may be something else than a position.
 */
export function adjacentPage(
  dialect: Dialect,
  page: Page<unknown>,
  direction: 'next' | 'prev' | 'last',
): PageTarget | undefined {
  const link = page.links[`_${direction}`];
  if (isFollowable(link)) return { link };
  if (!dialectRules[dialect].startIsPosition) return undefined;

  const position = Number(page.start ?? 1);
  const size = page.limit ?? page.items.length;
  const total = page.totalCount ?? 0;
  if (!Number.isSafeInteger(position) || position < 1 || size < 1) return undefined;
  if (direction === 'prev') {
    return position > 1 ? { start: String(Math.max(1, position - size)) } : undefined;
  }
  if (direction === 'last') {
    return total > 0 ? { start: String(Math.floor((total - 1) / size) * size + 1) } : undefined;
  }
  const linksPages = [page.links._next, page.links._prev].some(isFollowable);
  const next = position + page.items.length;
  return !linksPages && next <= total ? { start: String(next) } : undefined;
}

function isFollowable(link: Link | undefined): link is Link {
  return link?.type === 'get' && !link.templated;
}
