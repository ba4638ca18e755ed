export { findTargetProblem, isOriginOf, volumeTypes } from './check-target.ts';
export { findVolumes } from './find-volumes.ts';
export { restoreActions } from './restore-action.ts';
export { followRestore } from './restore-step.ts';
export { isExpired, restoreSnapshot, snapshotTarget } from './stored-restore.ts';
export { formatAccount, formatAge } from './views/format-restore.ts';
export { policyVolumesButton, restoreActionId } from './views/ids.ts';
export { environmentLabel, targetFields } from './views/restore-form.ts';
