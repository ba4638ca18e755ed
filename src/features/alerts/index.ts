export {
  type AlertSearch,
  alertSearchSchema,
  defaultSearch,
  parseAlertSearch,
  searchKeys,
} from './alert-search.ts';
export { type LogAlertChange, NotLoggedError } from './change-alerts.ts';
export {
  createSeenValues,
  defaultValues,
  type KnownValues,
  type SeenValues,
  withNamesOf,
} from './known-values.ts';
export { matchesAlertSearch } from './matches-search.ts';
export { offersChange } from './offers-change.ts';
export { type Matching, type Patience, readMatching } from './read-matching.ts';
export type { AlertChanging } from './register-changes.ts';
export type { Deed, ShownAlert } from './show-alert.ts';
export { severityRank } from './sort-alerts.ts';
export { clearButton, detailsButton } from './views/alert-buttons.ts';
export { alertLine } from './views/alert-section.ts';
export { tallyLine } from './views/format-counts.ts';
export { describeSearch, formatSearch } from './views/format-search.ts';
