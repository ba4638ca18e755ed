export { standInBlocks } from './views/stand-in-messages.ts';
