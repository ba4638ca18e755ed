import { createContext, use } from 'react';

/** False in a message other than the current one: Tab passes over what is in it. */
export const TabStopContext = createContext(true);

/** The `tabIndex` of a control: undefined, the browser's own, unless Tab passes over the control. */
export function useTabIndex(): -1 | undefined {
  return use(TabStopContext) ? undefined : -1;
}
