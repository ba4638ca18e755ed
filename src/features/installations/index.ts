export {
  createInstallationStore,
  describeInstallation,
  type InstallationStore,
  type InstallationSummary,
} from './store/installation-store.ts';
export { serveInstalled } from './store/served.ts';
