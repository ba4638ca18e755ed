export {
  type AlertSearch,
  alertSearchSchema,
  defaultSearch,
  type ParsedSearch,
  parseAlertSearch,
  searchKeys,
  storedSearchSchema,
} from './alert-search.ts';
export { type LogAlertChange, NotLoggedError } from './change-alerts.ts';
export { describeErrors } from './describe-errors.ts';
export { type AlertValues, documentedValues, withValuesOf } from './known-values.ts';
export { matchesAlertSearch } from './matches-search.ts';
export { type AlertChange, type ObservedAlert, supportsAlertChanges } from './read-alert.ts';
export { type MatchingAlerts, type ReadLimits, readMatching } from './read-matching.ts';
export { type ResolveDependencies, resolveSearch } from './resolve-search.ts';
export { severityRank } from './sort-alerts.ts';
export { clearButton, detailsButton } from './views/alert-buttons.ts';
export { formatAlertLine } from './views/alert-section.ts';
export { describeSearch, formatSearch } from './views/format-search.ts';
