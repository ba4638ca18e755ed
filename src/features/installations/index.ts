export { createTokenKeeper, type TokenKeeper } from './keep-tokens.ts';
export { createOrganizations, type Organizations } from './organizations.ts';
export {
  createInstallationStore,
  describeInstallation,
  type InstallationStore,
  type InstallationSummary,
  serveInstalled,
} from './store/installation-store.ts';
export { createOrganizationStore } from './store/organization-store.ts';
export { sealedInstallationTokens } from './store/sealed-tokens.ts';
