export { describeDigests } from './describe-digests.ts';
export {
  type DigestSettings,
  digestParts,
  digestSettings,
  maxDigestsPerChannel,
} from './digest.ts';
export { runDueDigests } from './run-due-digests.ts';
export {
  addDigest,
  changeDigest,
  type DigestItem,
  endDigest,
  readConfiguredDigests,
} from './store/configured-digests.ts';
export { listDigestChannels, readOldestDueDigest } from './store/digest-health.ts';
export { listUnreadableDigests } from './store/digest-store.ts';
export { endDigests } from './store/end-digests.ts';
