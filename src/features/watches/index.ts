export { type ChangeShower, createChangeShower } from './show-change.ts';
export { createWatches } from './watches.ts';
