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
export {
  type InstallationStatus,
  listReinstalls,
  readInstallationBacklog,
  readInstallationStatus,
} from './store/read-installation-status.ts';
export { sealedInstallationTokens } from './store/sealed-tokens.ts';
export { createUninstallStore, type UninstallHandlers } from './store/uninstall-store.ts';
export { createUninstaller, type UninstallTimings } from './uninstall.ts';
