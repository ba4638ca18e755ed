import type { App, RespondFn } from '@slack/bolt';
import { admit, guarded } from './admission.ts';
import { type Message, notice } from './blocks.ts';
import type { CommandCall } from './call.ts';
import type { FailureDependencies } from './failure.ts';

/** Answers that take longer are announced, so that silence never means "lost". */
const announceAfterMs = 1000;

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
      const { channel_id: channelId, trigger_id: triggerId, text } = command;
      const answer = await announced(say, () => run({ ...call, channelId, triggerId, text }));
      if (answer) await say(answer);
    });
  });
}

export async function respondPrivately(respond: RespondFn, message: Message): Promise<void> {
  await respond({ ...message, response_type: 'ephemeral', replace_original: false });
}

async function announced<T>(
  say: (message: Message) => Promise<unknown>,
  work: () => Promise<T>,
): Promise<T> {
  const waiting = { text: 'Asking the data-protection service. One moment…' };
  // Losing the announcement must not lose the answer.
  const timer = setTimeout(() => void say(waiting).catch(() => undefined), announceAfterMs);
  try {
    return await work();
  } finally {
    clearTimeout(timer);
  }
}
