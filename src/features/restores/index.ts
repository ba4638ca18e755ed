export { checkTarget, volumeTypes } from './check-target.ts';
export { findVolumes } from './find-volumes.ts';
export { restoreActions } from './restore-action.ts';
export { policyVolumesButton } from './views/ids.ts';
export { followRestore } from './restore-step.ts';
export { isExpired, snapshotTarget } from './stored-restore.ts';
export { formatAge } from './views/format-restore.ts';
export { restoreActionId } from './views/ids.ts';
