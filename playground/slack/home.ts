import { changed, type LocalState, nextId, type StoredHome } from './state.ts';
import type { Home } from './validate/view.ts';
import { nextHash, prepared } from './view-stack.ts';
import { keepPresent } from './view-state.ts';

/** Replaces a person's Home tab: same id, new hash, and inputs with the same ids keep their values. */
export const publishHome = (state: LocalState, slackUserId: string, view: Home): StoredHome => {
  const before = state.homes.get(slackUserId);
  const home = prepared(state, view);
  const stored: StoredHome = {
    viewId: before?.viewId ?? nextId(state, 'V'),
    slackUserId,
    home,
    hash: nextHash(state),
    touched: keepPresent(before?.touched ?? {}, home.blocks),
  };
  state.homes.set(slackUserId, stored);
  changed(state);
  return stored;
};
