import { type Message, message, section } from '../../../slack/ui/blocks.ts';

/** To the person who installed Belay in a workspace, directly. */
export function welcomeMessage(): Message {
  const title = ':white_check_mark: Belay is installed.';
  const lines = [
    `*${title}*`,
    "Belay shows the alerts, backup policies and users of your data-protection service. Changes to users and policies need a second person's approval.",
    'Next: a workspace admin runs `/belay setup` to connect the service.',
  ];
  return message(title, [section(lines.join('\n'))]);
}
