import { readCommand } from './read-command.ts';

/** Whether a word after `alerts`, `watch` or `digest new` is read as something else than a filter. */
export function isCommandWord(word: string): boolean {
  return ['alerts', 'watch', 'digest new'].some((command) => {
    const read = readCommand(`${command} ${word}`);
    return !read || !('line' in read) || read.line !== `${command} ${word}`;
  });
}
