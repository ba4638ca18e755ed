import type { Subcommand } from '../../../slack/interactions/subcommand.ts';
import {
  actions,
  actionsIfAny,
  context,
  header,
  type KnownBlock,
  type Message,
  message,
  notice,
  section,
} from '../../../slack/ui/blocks.ts';
import { commandButtons } from '../../../slack/ui/command-button.ts';
import { code } from '../../../slack/ui/mrkdwn.ts';
import type { HelpTopic } from '../topics.ts';

const howToApprove =
  "Changes to users and policies, and restores, need a second person's approval: select *Approve* in the request, or run `/belay requests waiting`. Only you see the answers to commands.";

/** One line per topic, short enough for a phone, and a button for each topic's examples and options. */
export function helpMessage(topics: HelpTopic[]): Message {
  const buttons = topics.map(({ name, title }) => ({ text: title, line: `help ${name}` }));
  return message([
    header('What Belay can do'),
    section(topics.map(formatTopic).join('\n')),
    actions(commandButtons(buttons)),
    context(howToApprove),
  ]);
}

function formatTopic({ name, summary }: HelpTopic): string {
  return `${code(`/belay ${name}`)} · ${summary}`;
}

/** The commands of a topic, each with its options explained, and two examples to copy. */
export function topicMessage({ title, examples }: HelpTopic, subcommands: Subcommand[]): Message {
  const commands = subcommands.flatMap(({ usage, summary, details }) => [
    `${code(`/belay ${usage}`)}\n${summary}`,
    ...(details ? [details.join('\n')] : []),
  ]);
  const samples = ['*Examples*', ...examples.map((example) => code(example))];
  const lines = [...commands, samples.join('\n')];
  return message([
    header(title),
    ...lines.map((line) => section(line)),
    actions(commandButtons([{ text: 'All topics', line: 'help' }])),
  ]);
}

export function adminTopicMessage({ name }: HelpTopic): Message {
  return notice(
    `${code(`/belay ${name}`)} is for ${name === 'audit' ? 'auditors and ' : ''}admins. All topics: \`/belay help\``,
  );
}

export function unknownTopicMessage(typed: string, suggestion: string | undefined): Message {
  return unknown(`Unknown topic ${code(typed, 60)}.`, suggestion && `help ${suggestion}`);
}

export function unknownMessage(typed: string, suggestion: string | undefined): Message {
  return unknown(`Unknown command ${code(typed, 60)}.`, suggestion);
}

function unknown(what: string, suggestion: string | undefined): Message {
  if (suggestion === undefined) {
    return notice(`${what} Run \`/belay help\` to see what Belay can do.`);
  }
  return choiceMessage(`${what} Did you mean this?`, [suggestion]);
}

/** Lines to choose from, each with a button that runs it. */
export function choiceMessage(why: string, lines: string[]): Message {
  const buttons = commandButtons(lines.map((line) => ({ text: `/belay ${line}`, line })));
  // Several buttons say it all. One says less than the line, which may be long.
  const isSaid = lines.length > 1 && buttons.length === lines.length;
  const typed = lines.map((line) => code(`/belay ${line}`, 150)).join(' · ');
  return message([section(isSaid ? why : `${why} ${typed}`), ...actionsIfAny(buttons)]);
}

/** The answer to `/belay` alone: the state of what matters here, and what to do next. */
export function overviewMessage(parts: KnownBlock[]): Message {
  return message([
    header('Overview'),
    ...parts,
    actions(
      commandButtons([
        { text: 'Find a user', line: 'users' },
        { text: 'Help', line: 'help' },
      ]),
    ),
  ]);
}

/** The same before anything is connected. */
export function notConnectedMessage(isAdmin: boolean): Message {
  return message([
    header('Overview'),
    section(
      isAdmin
        ? "Belay isn't connected to your data-protection service yet. Connect it with a region and an API token."
        : "Belay isn't connected to your data-protection service yet. Ask an admin of this workspace to set it up.",
    ),
    actions(
      commandButtons([
        ...(isAdmin ? [{ text: 'Set up Belay', line: 'setup' }] : []),
        { text: 'Help', line: 'help' },
      ]),
    ),
  ]);
}
