export { isCommandWord } from './read-command.ts';
export { helpActionId } from './register.ts';
