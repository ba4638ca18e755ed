import { z } from 'zod';
import { type Button, button } from './blocks.ts';
import { encodeValue } from './codec.ts';

/** One for each button of a block, because ids differ within a block: as many as topics of help. */
export const commandActionIds = Array.from({ length: 13 }, (_, index) => `command.run${index}`);
/** Characters that fit into a button's value, in any script. */
const maxLine = 300;
export const commandValue = z.object({ line: z.string().max(maxLine) });

/** A button that runs a line as if it were typed after `/belay`. */
type CommandLine = { text: string; line: string };

export function commandButton(command: CommandLine): Button | undefined {
  return commandButtons([command])[0];
}

/** For one block. A line that is too long has none. */
export function commandButtons(commands: CommandLine[]): Button[] {
  return commandActionIds.flatMap((actionId, index) => {
    const command = commands[index];
    if (!command || command.line.length > maxLine) return [];
    const { text, line } = command;
    const accessibilityLabel = `${text}: /belay ${line}`;
    return [button({ text, actionId, value: encodeValue({ line }), accessibilityLabel })];
  });
}
