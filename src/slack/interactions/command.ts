import { respondOnce, respondPrivately, withProgressNotice } from '../api/respond.ts';
import { type Message, notice } from '../ui/blocks.ts';
import { bindMessage } from '../ui/bound-message.ts';
import { stripLinks } from '../ui/mrkdwn.ts';
import { authorizeCaller, type ListenerDependencies } from './authorize-caller.ts';
import type { CommandInteraction } from './interaction.ts';
import { openClient, originOf } from './open-client.ts';
import { runReportingFailure } from './report-failure.ts';
import type { Routes } from './routes.ts';

/**
 * Slash command `name`: acknowledges, authorizes, runs. Only the caller sees what `run` returns.
 * Logs and metrics name the subcommand too, if `subcommandOf` the text knows it.
 * https://docs.slack.dev/interactivity/implementing-slash-commands
 */
export function listenForCommand(
  routes: Routes,
  dependencies: ListenerDependencies,
  name: string,
  run: (interaction: CommandInteraction) => Promise<Message | undefined>,
  subcommandOf: (text: string) => string | undefined = () => undefined,
): void {
  routes.command(name, async ({ ack, command, context, respond }) => {
    await ack();
    const subcommand = subcommandOf(stripLinks(command.text));
    const call = {
      ...originOf(context),
      kind: 'command' as const,
      slackUserId: command.user_id,
      listener: subcommand === undefined ? name : `${name} ${subcommand}`,
    };
    const caller = await openClient(call, dependencies);
    if ('refusal' in caller) return respondPrivately(respond, caller.refusal);
    const send = (message: Message) =>
      respondPrivately(respond, bindMessage(message, caller.slack));
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
