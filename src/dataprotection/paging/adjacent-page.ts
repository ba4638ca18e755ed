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

/**
 * The page that probably follows `target`, if the list continues as it does after `page`: computed
 * from positions, or from page numbers if the service says how many pages there are. Undefined for
 * page tokens.
 */
export function predictNextPage(
  dialect: Dialect,
  { items, totalCount = 0, totalPagesCount = 0 }: Page<unknown>,
  target: PageTarget,
): PageTarget | undefined {
  const [step, end] = dialectRules[dialect].startIsPosition
    ? [items.length, totalCount]
    : [1, totalPagesCount];
  const start = startOf(target) + step;
  if (!(step > 0 && start <= end)) return undefined;
  if ('start' in target) return { start: String(start) };
  const href = target.link.href.replace(startParameter, `$1${start}`);
  return { link: { ...target.link, href } };
}

const startParameter = /([?&]start=)(\d{1,12})(?=&|$)/;

/** NaN if `start` is no number. */
function startOf(target: PageTarget): number {
  if ('start' in target) return Number(target.start);
  return Number(startParameter.exec(target.link.href)?.[2] ?? Number.NaN);
}

export function isSameTarget(a: PageTarget, b: PageTarget): boolean {
  if ('link' in a) return 'link' in b && a.link.href === b.link.href;
  return 'start' in b && a.start === b.start;
}
