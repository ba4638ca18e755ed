import type { Dialect } from '../dialects/dialect.ts';
import { wireFormat } from '../dialects/wire-format.ts';
import type { Link } from './link.ts';
import type { Page } from './page.ts';

/** Where a page is: at a link that the service gave, or at a `start` in the list. */
export type PageTarget = { link: Link } | { start: string };

/**
 * Where the page before, after or at the end is: by the service's link, else, where the
 * dialect makes `start` the position of a page's first item, by arithmetic on it. A service that links
 * its pages is believed when it offers no next one; its `start` may then be something else than a
 * position.
 */
export function neighbour(
  dialect: Dialect,
  page: Page<unknown>,
  direction: 'next' | 'prev' | 'last',
): PageTarget | undefined {
  const link = page.links[`_${direction}`];
  if (isFollowable(link)) return { link };
  if (!wireFormat(dialect).startIsPosition) return undefined;

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

/**
 * Where the page after `target` should be when the list goes on as it does from `page` to its next
 * one: by positions, or by page numbers where the service says how many pages there are. A page
 * token has no successor.
 */
export function predictNextPage(
  dialect: Dialect,
  { items, totalCount = 0, totalPagesCount = 0 }: Page<unknown>,
  target: PageTarget,
): PageTarget | undefined {
  const [step, end] = wireFormat(dialect).startIsPosition
    ? [items.length, totalCount]
    : [1, totalPagesCount];
  const start = startOf(target) + step;
  if (!(step > 0 && start <= end)) return undefined;
  if ('start' in target) return { start: String(start) };
  const href = target.link.href.replace(startParameter, `$1${start}`);
  return { link: { ...target.link, href } };
}

const startParameter = /([?&]start=)(\d{1,12})(?=&|$)/;

/** Not a number where it is something else than a count. */
function startOf(target: PageTarget): number {
  if ('start' in target) return Number(target.start);
  return Number(startParameter.exec(target.link.href)?.[2] ?? Number.NaN);
}

export function isSameTarget(one: PageTarget, other: PageTarget): boolean {
  if ('link' in one) return 'link' in other && one.link.href === other.link.href;
  return 'start' in other && one.start === other.start;
}
