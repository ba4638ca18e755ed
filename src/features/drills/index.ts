export { type DrillRun, drillTagKey, secondsBetween } from './drill.ts';
export { drillActions } from './drill-action.ts';
export { createDrillRunner, type DrillTimings } from './run-drills.ts';
export { drillFamily } from './store/drill-kind.ts';
export { type DrillRuns, listFailedDrills } from './store/drill-runs.ts';
export { formatRunVolume } from './views/format-drill.ts';
