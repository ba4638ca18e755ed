export { describeDigests } from './describe-digests.ts';
export { runDueDigests } from './run-due-digests.ts';
export { listDigestChannels, readOldestDueDigest } from './store/digest-health.ts';
