export {
  applyFile,
  type ConfigurationDependencies,
  type FilePlan,
  planFile,
} from './apply-configuration.ts';
export type { ServiceChecks } from './check-service.ts';
export { exportConfiguration } from './export-configuration.ts';
export { ConfigurationError, parseConfiguration } from './parse-configuration.ts';
export { hasDifferences } from './plan-workspace.ts';
export { createTokenReader } from './resolve-tokens.ts';
export { createSetupHandlers } from './setup-handlers.ts';
export { formatPlan } from './views/format-plan.ts';
