export { alertKey } from './alert-key.ts';
export {
  type AlertSearch,
  alertSearchSchema,
  defaultSearch,
  isAlertFilter,
  isExplicit,
  normalizeText,
  type ParsedSearch,
  parseAlertSearch,
  type SavedFilter,
  searchKeys,
} from './alert-search.ts';
export type { LogAlertChange } from './change-alerts.ts';
export type { ChangeAlertState, ShowAlertState } from './change-state.ts';
export { createClearingRunner } from './clearing/run-clearings.ts';
export type { ClearingTimings } from './clearing/timings.ts';
export { describeErrors, readMatchingAtOnce } from './describe-errors.ts';
export {
  type AlertValues,
  builtInValues,
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
  type ReportAlert,
  supportsAlertChanges,
} from './read-alert.ts';
export { type MatchingAlerts, type ReadLimits, readMatching } from './read-matching.ts';
export { readTime, readUntil } from './read-until.ts';
export type { ShowAlertsCall } from './register.ts';
export { resolveSearch, type SearchNames } from './resolve-search.ts';
export { nameProblem } from './saved/filter-name.ts';
export { isWorseThan, severityRank } from './sort-alerts.ts';
export { type AlertLooks, createAlertLooks } from './store/alert-looks.ts';
export {
  type AlertState,
  type AlertStateChange,
  type AlertStates,
  countAlertStates,
  type DueState,
  endAlertStates,
  endSnooze,
  fillState,
  findDueStates,
  forgetAlerts,
  listAlertStates,
  lockUnshown,
  pruneAlertStates,
  purgeAlerts,
  readAlertStates,
  storeStateChange,
} from './store/alert-states.ts';
export { createClearings, purgeClearings } from './store/clearings.ts';
export {
  changeSavedFilter,
  createSavedFilters,
  listChannelFilters,
  maxSavedFilters,
  removeSavedFilter,
  type SavedFilters,
} from './store/saved-filters.ts';
export {
  acknowledgeButton,
  alertNamed,
  detailsButton,
  endSnoozeButton,
  newMuteButton,
  policyAlertsButton,
  snoozeElement,
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
export { alertTypeName, humanize, nameOf, problemOf, severityOf } from './views/format-alert.ts';
export { formatAlertState, formatSnooze } from './views/format-alert-state.ts';
export {
  describeFilter,
  describeSearch,
  formatCommand,
  formatSearch,
} from './views/format-search.ts';
export {
  muteActionId,
  newMuteValue,
  searchValue,
  viewBackupsActionId,
  viewPolicyActionId,
  watchActionId,
} from './views/ids.ts';
export { formatCopied } from './views/saved-filter-messages.ts';
