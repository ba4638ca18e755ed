export { isCommandWord } from './read-command.ts';
