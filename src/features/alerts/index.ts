export {
  type AlertSearch,
  alertSearchSchema,
  parseAlertSearch,
  searchKeys,
  usualSearch,
} from './alert-search.ts';
export { type LogAlertChange, NotLoggedError } from './change-alerts.ts';
export {
  createSeenValues,
  type KnownValues,
  type SeenValues,
  usualValues,
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
export { alertSearchText, searchInWords } from './views/format-search.ts';
