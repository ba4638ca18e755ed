export {
  applyFile,
  type ConfigurationDependencies,
  type FilePlan,
  planFile,
} from './apply-configuration.ts';
export { exportConfiguration } from './export-configuration.ts';
export { ConfigurationError, parseConfiguration } from './file/parse-configuration.ts';
export { createTokenReader } from './file/resolve-tokens.ts';
export type { CheckedPlan, ServiceChecks } from './plan/check-service.ts';
export { hasDifferences } from './plan/plan-workspace.ts';
export { toPendingChange } from './plan/stored-plan.ts';
export { createWorkspaceHandlers } from './save/workspace-handlers.ts';
export { formatPlan } from './views/format-plan.ts';
