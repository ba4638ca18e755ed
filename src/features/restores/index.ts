export { restoreActions } from './restore-action.ts';
export { policyVolumesButton } from './views/ids.ts';
