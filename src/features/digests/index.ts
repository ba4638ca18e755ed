export { runDueDigests } from './run-due-digests.ts';
export { sampleCompliance } from './sample-compliance.ts';
export { readOldestDueDigest } from './store/digest-trouble.ts';
