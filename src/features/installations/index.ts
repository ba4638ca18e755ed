export {
  createInstallationStore,
  describeInstallation,
  type InstallationStore,
  type InstallationSummary,
} from './store/installation-store.ts';
export { sealedInstallationTokens } from './store/sealed-tokens.ts';
export { serveInstalled } from './store/served.ts';
