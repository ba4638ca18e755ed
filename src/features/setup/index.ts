export { createSetupAnnouncer } from './announce-setup.ts';
export { listUnits } from './list-units.ts';
export { setupActions } from './setup-action.ts';
export { createExpiryWarner } from './warn-expiry.ts';
