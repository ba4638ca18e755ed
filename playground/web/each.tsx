import { createElement, Fragment, type ReactNode } from 'react';

/**
 * Draws each item of a list whose items have no ids, such as the parts of a text. Nodes are matched by
 * their position when the list changes, so that they need no keys.
 */
export function Each<Item>({
  of,
  children,
}: {
  of: readonly Item[];
  children: (item: Item, index: number) => ReactNode;
}): ReactNode {
  return createElement(Fragment, null, ...of.map(children));
}
