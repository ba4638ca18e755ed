export { homeDeskBlocks } from './views/desk-message.ts';
