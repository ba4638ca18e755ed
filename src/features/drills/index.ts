export { drillTagKey, secondsBetween } from './drill.ts';
export { drillActions } from './drill-action.ts';
export { createDrillRunner } from './run-drills.ts';
export { drillFamily } from './store/drill-kind.ts';
export { listFailedDrills } from './store/drill-runs.ts';
export type { DrillTimings } from './timings.ts';
