import type { App, BlockAction, BlockElementAction } from '@slack/bolt';
import type { z } from 'zod';
import { announced, replaceOriginal, respondPrivately } from '../api/respond.ts';
import { type Message, notice } from '../ui/blocks.ts';
import { decodeValue } from '../ui/codec.ts';
import { noticeModal, showInModal } from '../ui/modal.ts';
import { admit, guarded } from './authorize-caller.ts';
import type { ActionCall, Answer } from './call.ts';
import type { FailureDependencies } from './failure.ts';

export type ActionOptions = {
  /** For buttons whose answer may take a while and that show nothing else meanwhile. */
  isAnnounced?: boolean;
};

/** A button or select in a message or a modal; `value` is parsed before `run` sees it. */
export function listenForAction<Value>(
  app: App,
  dependencies: FailureDependencies,
  actionId: string,
  schema: z.ZodType<Value>,
  run: (call: ActionCall<Value>) => Promise<Answer | undefined>,
  { isAnnounced = false }: ActionOptions = {},
): void {
  app.action<BlockAction>(actionId, async ({ ack, body, action, client, context, respond }) => {
    await ack();
    const caller = {
      teamId: context.teamId ?? '',
      enterpriseId: context.enterpriseId,
      slackUserId: body.user.id,
      slack: client,
      listener: actionId,
    };
    const viewId = body.view?.id;
    const say = (message: Message) =>
      viewId
        ? showInModal(client, viewId, noticeModal('Belay', message.blocks ?? []))
        : respondPrivately(respond, message);
    await guarded(dependencies, caller, say, async () => {
      const call = await admit(caller, dependencies);
      if ('refusal' in call) return say(notice(call.refusal));
      const value = decodeValue(schema, carriedValue(action));
      if (value === undefined) return say(outdated);
      const { trigger_id: triggerId, channel } = body;
      const on = { channelId: channel?.id, messageTs: body.message?.ts, viewId };
      const work = () => run({ ...call, value, triggerId, ...on });
      const answer = await (isAnnounced ? announced(say, work) : work());
      if (!answer) return;
      if ('reply' in answer) return say(answer.reply);
      await replaceOriginal(respond, answer.replace);
    });
  });
}

const outdated = notice(
  'This button is from an older version of Belay. Nothing was changed. Please run the command again.',
);

function carriedValue(action: BlockElementAction): string | undefined {
  if (action.type === 'button') return action.value;
  if (action.type === 'static_select') return action.selected_option?.value;
  return undefined;
}
