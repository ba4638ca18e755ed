import { z } from 'zod';
import { actions, button, type Message, message, section } from '../../../slack/ui/blocks.ts';
import { encodeValue } from '../../../slack/ui/codec.ts';
import { code } from '../../../slack/ui/mrkdwn.ts';

/** Each runs a line as if it were typed: one for each button, because ids differ within a block. */
export const runActionIds = ['help.run1', 'help.run2', 'help.run3', 'help.run4'] as const;
/** Characters that fit into a button's value, in any script. */
const maxLine = 300;
export const runValue = z.object({ line: z.string().max(maxLine) });

/** Lines to choose from, each with a button that runs it. Lines that are too long have none. */
export function choiceMessage(why: string, lines: string[]): Message {
  const buttons = runActionIds.flatMap((actionId, index) => {
    const line = lines[index];
    if (line === undefined || line.length > maxLine) return [];
    const text = `/belay ${line}`;
    return [
      button({ text, actionId, value: encodeValue({ line }), accessibilityLabel: `Run ${text}` }),
    ];
  });
  const typed = lines.map((line) => code(`/belay ${line}`, 150)).join(' · ');
  return message([section(`${why} ${typed}`), ...(buttons.length > 0 ? [actions(buttons)] : [])]);
}

/** For a message that asks for a form. */
export function needsClickMessage(line: string): Message {
  return choiceMessage('This opens a form:', [line]);
}
