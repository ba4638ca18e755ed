export { createSetupAnnouncer } from './announce-setup.ts';
export { settingsChange, valuesInForce } from './build-change.ts';
export {
  checkOwner,
  isDeceptive,
  maxApprovers,
  type OwnerCheck,
  type UserExists,
} from './check-setup.ts';
export { compareSetup, isAnnounced, requiresApproval } from './compare-setup.ts';
export { findSecondPerson } from './find-second-person.ts';
export { listUnits } from './list-units.ts';
export { requestChange } from './request-change.ts';
export { formatShortfall, maxNamedGroups, problemWithMembers } from './roles/check-members.ts';
export { type GroupChoice, listChoices } from './roles/list-choices.ts';
export { setupActions } from './setup-action.ts';
export type { SetupContext } from './setup-context.ts';
export { createTokenPages } from './token-page/serve-token-page.ts';
export { seesTenantOf } from './verify-setup.ts';
export { maxConnections, problemWithName } from './views/connection-form.ts';
export { changeLines, showsExactly } from './views/format-setup-change.ts';
export { openSetupActionId } from './views/ids.ts';
export { groupNotice, hasGroupMenus, labelOf } from './views/member-inputs.ts';
export { isAddress, isDomain } from './views/protected-form.ts';
export { createExpiryWarner } from './warn-expiry.ts';
