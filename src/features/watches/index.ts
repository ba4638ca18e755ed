export { createWatches } from './poller.ts';
export { createPostedAlertUpdater, type PostedAlertUpdater } from './update-posted-alerts.ts';
