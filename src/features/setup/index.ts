export { createSetupAnnouncer } from './announce-setup.ts';
export { valuesInForce } from './build-change.ts';
export { checkOwner, maxApprovers, type OwnerCheck, type UserExists } from './check-setup.ts';
export { compareSetup, isAnnounced, requiresApproval } from './compare-setup.ts';
export { maxConnections, problemWithName } from './connections/connection-form.ts';
export { findSecondPerson } from './find-second-person.ts';
export { listUnits } from './list-units.ts';
export { requestChange } from './request-change.ts';
export { maxNamedGroups, problemWithMembers } from './roles/check-members.ts';
export { formatShortfall } from './rules/check-rule.ts';
export { isAddress, isDomain } from './rules/protected-form.ts';
export {
  type FindUnusedProtection,
  findUnused,
  unusedLines,
} from './rules/unused-protection.ts';
export { setupActions } from './setup-action.ts';
export { settingRanges } from './setup-form.ts';
export { createTokenPages, type TokenPages } from './token-page/serve-token-page.ts';
export { seesTenantOf } from './verify-setup.ts';
export { changeLines, showsExactly } from './views/format-setup-change.ts';
export { openSetupActionId } from './views/ids.ts';
export { createExpiryWarner } from './warn-expiry.ts';
