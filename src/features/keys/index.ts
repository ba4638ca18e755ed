export { type KeyStatus, readKeyStatus } from './read-key-status.ts';
export { createKeyRotation } from './rotate-keys.ts';
