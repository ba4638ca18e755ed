import type { z } from 'zod';
import { type Button, button } from './blocks.ts';
import { encodeValue } from './codec.ts';

/** What the buttons of a list lead to; without `previous` or `next`, there is no such page. */
type PageQueries<Query> = {
  previous?: Query | undefined;
  next?: Query | undefined;
  refresh: Query;
};

/**
 * A list that is shown page by page: the buttons below it. `Listeners.pages` answers them. `Query` is
 * what a button carries.
 */
export type Pager<Query> = {
  actionIds: readonly [previous: string, next: string, refresh: string];
  query: z.ZodType<Query>;
  /** `labels` differ in lists that are sorted by time. */
  buttons: (queries: PageQueries<Query>, labels?: { previous: string; next: string }) => Button[];
};

/**
 * @param id the first part of the buttons' ids: `alerts`
 * @param of what the list shows, for people who can't see the list: `policies`
 */
export function definePager<Query extends Record<string, unknown>>(
  id: string,
  of: string,
  query: z.ZodType<Query>,
): Pager<Query> {
  const [previous, next, refresh] = [`${id}.previous`, `${id}.next`, `${id}.refresh`];
  const pageButton = (text: string, actionId: string, to: Query | undefined) =>
    to === undefined
      ? []
      : [button({ text, actionId, value: encodeValue(to), accessibilityLabel: `${text}: ${of}` })];
  return {
    actionIds: [previous, next, refresh],
    query,
    buttons: (queries, labels = { previous: 'Previous', next: 'Next' }) => [
      ...pageButton(labels.previous, previous, queries.previous),
      ...pageButton(labels.next, next, queries.next),
      ...pageButton('Refresh', refresh, queries.refresh),
    ],
  };
}

/** The pages around `query` of a list whose pages begin at a position, from 0. */
export function pagesAround<Query extends { start: number }>(
  query: Query,
  { total, perPage }: { total: number; perPage: number },
): PageQueries<Query> {
  const { start } = query;
  const previous = { ...query, start: Math.max(0, start - perPage) };
  const next = { ...query, start: start + perPage };
  return {
    previous: start > 0 ? previous : undefined,
    next: next.start < total ? next : undefined,
    refresh: query,
  };
}
