import type { App } from '@slack/bolt';
import { announced, respondPrivately } from '../api/respond.ts';
import { type Message, notice } from '../ui/blocks.ts';
import { withoutLinks } from '../ui/mrkdwn.ts';
import { admit, guarded } from './authorize-caller.ts';
import type { CommandCall } from './call.ts';
import type { FailureDependencies } from './failure.ts';

/** Slash command `name`: what `run` returns is shown to the caller alone. */
export function listenForCommand(
  app: App,
  dependencies: FailureDependencies,
  name: string,
  run: (call: CommandCall) => Promise<Message | undefined>,
): void {
  app.command(name, async ({ ack, command, client, context, respond }) => {
    await ack();
    const caller = {
      teamId: context.teamId ?? command.team_id,
      enterpriseId: context.enterpriseId,
      slackUserId: command.user_id,
      slack: client,
      listener: name,
    };
    const say = (message: Message) => respondPrivately(respond, message);
    await guarded(dependencies, caller, say, async () => {
      const call = await admit(caller, dependencies);
      if ('refusal' in call) return say(notice(call.refusal));
      const { channel_id: channelId, trigger_id: triggerId } = command;
      const text = withoutLinks(command.text);
      const answer = await announced(say, () => run({ ...call, channelId, triggerId, text }));
      if (answer) await say(answer);
    });
  });
}
