import { bold, readShown } from './mrkdwn.ts';
import { codePoint, hiddenCharacters } from './visible.ts';

/**
 * A name that a person typed, as it will be shown and sent: composed letters, single spaces. `problem`
 * is for a name that can't be shown in full, or that holds characters that nobody sees.
 */
export function parseTypedName(typed: string): { name: string } | { problem: string } {
  const name = typed
    .normalize('NFC')
    .replaceAll(/[\p{Z}\t-\r\x85]+/gu, ' ')
    .trim();
  if (!name) return { problem: 'Enter a name.' };
  const [hidden] = hiddenCharacters(name.replaceAll(joiner, ''));
  if (hidden !== undefined) {
    return { problem: `Remove the invisible character ${codePoint(hidden)}.` };
  }
  if (!isShown(name)) return { problem: 'Use a shorter name with fewer special characters.' };
  return { name };
}

/** Between letters, these belong to the spelling of some languages. They are shown. */
const joiner = /(?<=[\p{L}\p{M}])[\u200c\u200d](?=[\p{L}\p{M}])/gu;

/** Whether a message shows the whole name, so that it can be read back. */
function isShown(name: string): boolean {
  return readShown(bold(name)) === name;
}

/** Whether this is what a form accepts. */
export function isValidTypedName(name: string): boolean {
  const parsed = parseTypedName(name);
  return 'name' in parsed && parsed.name === name;
}
