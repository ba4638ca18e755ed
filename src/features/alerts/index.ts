export type {
  AlertChange,
  AlertContext,
  AlertsRead,
  ChangeAlertState,
  ObservedAlert,
  ReportAlert,
  ShowAlertState,
} from './alert-context.ts';
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
export { createClearingRunner } from './clearing/run-clearings.ts';
export { describeErrors, readMatchingAtOnce } from './describe-errors.ts';
export {
  type AlertValues,
  builtInValues,
  createKnownValues,
} from './known-values.ts';
export { createAlertMatcher, policiesOf } from './matches-search.ts';
export { type MatchingAlerts, readMatching } from './read-matching.ts';
export { readTime, readUntil } from './read-until.ts';
export { fillLastLook, showAlerts } from './register.ts';
export { parseWithSaved, resolveSearch, type SearchNames } from './resolve-search.ts';
export { nameProblem, readTypedSave } from './saved/filter-name.ts';
export { isWorseThan, severityRank } from './sort-alerts.ts';
export {
  type AlertCounts,
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
  lockUnshown,
  pruneAlertStates,
  purgeAlerts,
  readAlertStates,
  storeStateChange,
} from './store/alert-states.ts';
export { type AlertStore, createAlertStore } from './store/alert-store.ts';
export { createClearings, purgeClearings } from './store/clearings.ts';
export {
  changeSavedFilter,
  createSavedFilters,
  listChannelFilters,
  maxSavedFilters,
  removeSavedFilter,
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
export {
  formatAlertFacts,
  formatAlertLine,
  formatAlertState,
  formatAlertTitle,
  formatSnooze,
  unownedAlertRow,
} from './views/alert-section.ts';
export {
  checkFilter,
  enteredSearch,
  filterFields,
  filterInputs,
  filterTooLong,
  readFilter,
  withoutListOptions,
} from './views/filter-form.ts';
export { humanize, problemOf, severityOf } from './views/format-alert.ts';
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
export { formatCopied, formatUsed } from './views/saved-filter-messages.ts';
