export { createSetupAnnouncer } from './announce-setup.ts';
export { listUnits } from './list-units.ts';
export { setupActions } from './setup-action.ts';
export { createTokenPages, type TokenPages } from './token-page/serve-token-page.ts';
export { openSetupActionId } from './views/ids.ts';
export { createExpiryWarner } from './warn-expiry.ts';
