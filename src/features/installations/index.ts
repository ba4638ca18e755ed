export { createOrganizations, type Organizations } from './organizations.ts';
export { sealedInstallationTokens } from './store/installation-row.ts';
export {
  BotTokenUnreadableError,
  createInstallationStore,
  describeInstallation,
  type InstallationStore,
  type InstallationSummary,
  mayStoreData,
  serveInstalled,
} from './store/installation-store.ts';
export { createOrganizationStore } from './store/organization-store.ts';
export {
  listReinstalls,
  readInstallationBacklog,
  readInstallationStatus,
} from './store/read-installation-status.ts';
export { createRefreshStore } from './store/refresh-store.ts';
export { createUninstallStore, type UninstallHandlers } from './store/uninstall-store.ts';
export { createTokenRotation, type TokenRotation } from './token-rotation.ts';
export { createUninstaller, type Uninstaller, type UninstallTimings } from './uninstall.ts';
