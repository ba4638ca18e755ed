export { type DrillRun, drillTagKey, secondsBetween } from './drill.ts';
export { drillActions } from './drill-action.ts';
export { createDrillRunner } from './run-drills.ts';
export { drillFamily } from './store/drill-kind.ts';
export { type DrillRuns, listFailedDrills } from './store/drill-runs.ts';
export type { DrillTimings } from './timings.ts';
export { formatRunVolume } from './views/format-drill.ts';
