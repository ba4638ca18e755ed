import type { Subcommand } from '../../../slack/listeners/subcommand.ts';
import {
  context,
  header,
  type Message,
  message,
  notice,
  section,
} from '../../../slack/ui/blocks.ts';
import { code } from '../../../slack/ui/mrkdwn.ts';

/** The subcommands, one per line. */
export function helpMessage(subcommands: Subcommand[]): Message {
  const lines = subcommands.map(({ usage, summary }) => `${code(`/belay ${usage}`)} – ${summary}`);
  return message(`What Belay can do:\n${lines.join('\n')}`, [
    header('What Belay can do'),
    section(lines.join('\n')),
    context(
      'Only you see these answers. A change to a user is posted as a request, for a second person to approve.',
    ),
  ]);
}

export function unknownMessage(typed: string, suggestion: string | undefined): Message {
  const known = 'Type `/belay help` to see what there is.';
  const hint = suggestion ? `Did you mean ${code(`/belay ${suggestion}`)}? ` : '';
  return notice(`Belay does not know ${code(typed, 60)}. ${hint}${known}`);
}
