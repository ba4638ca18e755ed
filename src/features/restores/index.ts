export { restoreActions } from './restore-action.ts';
