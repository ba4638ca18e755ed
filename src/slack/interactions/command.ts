import { respondOnce, respondPrivately, withProgressNotice } from '../api/respond.ts';
import { type Message, notice } from '../ui/blocks.ts';
import { bindMessage } from '../ui/bound-message.ts';
import { stripLinks } from '../ui/mrkdwn.ts';
import { authorizeCaller, type Caller, type ListenerDependencies } from './authorize-caller.ts';
import type { CommandInteraction } from './interaction.ts';
import { openClient, originOf } from './open-client.ts';
import { runReportingFailure } from './report-failure.ts';
import type { Routes } from './routes.ts';

/**
 * Slash command `name`: acknowledges, authorizes, runs. Only the caller sees what `run` returns.
 * Logs and metrics name the subcommand too, if it is one of `subcommands`.
 * https://docs.slack.dev/interactivity/implementing-slash-commands
 */
export function listenForCommand(
  routes: Routes,
  dependencies: ListenerDependencies,
  name: string,
  run: (interaction: CommandInteraction) => Promise<Message | undefined>,
  subcommands: readonly string[] = [],
): void {
  routes.command(name, async ({ ack, command, context, respond }) => {
    await ack();
    const typed = firstWord(command.text);
    const call = {
      ...originOf(context),
      kind: 'command' as const,
      slackUserId: command.user_id,
      listener: subcommands.includes(typed) ? `${name} ${typed}` : name,
    };
    const opened = await openClient(call, dependencies);
    if ('refusal' in opened) return respondPrivately(respond, opened.refusal);
    const { slack } = opened;
    const send = (message: Message) => respondPrivately(respond, bindMessage(message, slack));
    const caller: Caller = { ...call, slack };
    await runReportingFailure(dependencies, caller, send, async () => {
      const authorized = await authorizeCaller(caller, dependencies);
      if ('refusal' in authorized) return send(notice(authorized.refusal));
      const { channel_id: channelId, trigger_id: triggerId } = command;
      // Slack makes links of typed addresses and host names, but people search for the plain text.
      const text = stripLinks(command.text);
      const answer = await withProgressNotice(
        (progress) => respondOnce(respond, progress),
        () => run({ ...authorized, channelId, triggerId, text }),
      );
      if (answer) await send(answer);
    });
  });
}

/** In lower case; subcommands are matched in any case. */
export function firstWord(text: string): string {
  return text.trim().split(/\s+/, 1)[0]?.toLowerCase() ?? '';
}
