export { isCommandWord } from './is-command-word.ts';
