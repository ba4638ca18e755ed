export { describeDigests } from './describe-digests.ts';
export { runDueDigests } from './run-due-digests.ts';
export { sampleCompliance } from './sample-compliance.ts';
export { listDigestChannels, readOldestDueDigest } from './store/digest-health.ts';
