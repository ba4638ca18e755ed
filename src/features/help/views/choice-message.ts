import { actionsIfAny, type Message, message, section } from '../../../slack/ui/blocks.ts';
import { commandButtons } from '../../../slack/ui/command-button.ts';
import { code } from '../../../slack/ui/mrkdwn.ts';

/** Lines to choose from, each with a button that runs it. */
export function choiceMessage(why: string, lines: string[]): Message {
  const buttons = commandButtons(lines.map((line) => ({ text: `/belay ${line}`, line })));
  // Several buttons say it all. One says less than the line, which may be long.
  const isSaid = lines.length > 1 && buttons.length === lines.length;
  const typed = lines.map((line) => code(`/belay ${line}`, 150)).join(' · ');
  return message([section(isSaid ? why : `${why} ${typed}`), ...actionsIfAny(buttons)]);
}
