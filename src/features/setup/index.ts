export { createSetupAnnouncer } from './announce-setup.ts';
export { listUnits } from './list-units.ts';
export { createTokenPages, type TokenPages } from './serve-token-page.ts';
export { setupActions } from './setup-action.ts';
export { createExpiryWarner } from './warn-expiry.ts';
