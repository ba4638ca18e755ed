export {
  type AlertSearch,
  alertSearchSchema,
  defaultSearch,
  isAlertFilter,
  normalizeText,
  type ParsedSearch,
  parseAlertSearch,
  searchKeys,
} from './alert-search.ts';
export type { LogAlertChange } from './change-alerts.ts';
export { describeErrors, readMatchingAtOnce } from './describe-errors.ts';
export {
  type AlertValues,
  createKnownValues,
  type KnownValues,
  withValuesOf,
} from './known-values.ts';
export { createAlertMatcher } from './matches-search.ts';
export { policiesOf } from './policies-of.ts';
export {
  type AlertChange,
  type AlertsRead,
  type ObservedAlert,
  supportsAlertChanges,
} from './read-alert.ts';
export { type MatchingAlerts, type ReadLimits, readMatching } from './read-matching.ts';
export { resolveSearch } from './resolve-search.ts';
export { severityRank } from './sort-alerts.ts';
export {
  detailsButton,
  policyAlertsButton,
  viewPolicyButton,
} from './views/alert-buttons.ts';
export { formatAlertFacts, formatAlertLine, formatAlertTitle } from './views/alert-section.ts';
export {
  checkFilter,
  enteredSearch,
  filterFields,
  filterInputs,
  filterTooLong,
  readFilter,
  withoutListOptions,
} from './views/filter-form.ts';
export { alertTypeName, problemOf, severityOf } from './views/format-alert.ts';
export {
  describeFilter,
  describeSearch,
  formatSearch,
} from './views/format-search.ts';
export {
  searchValue,
  viewBackupsActionId,
  viewPolicyActionId,
  watchActionId,
} from './views/ids.ts';
