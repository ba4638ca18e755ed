import type { AllMiddlewareArgs, App, SlackEventMiddlewareArgs } from '@slack/bolt';
import { z } from 'zod';
import { notifyPerson, postMessage } from '../api/post.ts';
import { type Message, notice } from '../ui/blocks.ts';
import { authorizeCaller, type Caller, type ListenerDependencies } from './authorize-caller.ts';
import type { Interaction } from './interaction.ts';
import { openClient, originOf } from './open-client.ts';
import { runReportingFailure } from './report-failure.ts';

/**
 * A message that a person has just written: not an edit, not a bot's. Of the subtypes only that of a
 * message with files is one. https://docs.slack.dev/reference/events/message
 */
const written = z.object({
  user: z.string(),
  channel: z.string(),
  thread_ts: z.string().optional(),
  subtype: z.literal('file_share').optional(),
  bot_id: z.undefined().optional(),
  edited: z.undefined().optional(),
});
const direct = written.extend({ type: z.literal('message'), channel_type: z.literal('im') });
const mention = written.extend({ type: z.literal('app_mention') });

/** Why Slack repeats an event that no process has seen. Others may be answered already. */
const undelivered = new Set(['connection_failed', 'http_error', 'ssl_error', 'too_many_redirects']);
const maxRememberedEvents = 1000;

type EventArgs = SlackEventMiddlewareArgs<'message' | 'app_mention'> & AllMiddlewareArgs;

/**
 * Direct messages to Belay and mentions of it, each answered at most once: where it was written, in
 * its thread if it has one, and in a channel only for the person. Bolt acknowledges events before it
 * calls listeners. https://docs.slack.dev/apis/events-api
 */
export function listenForMessages(
  app: App,
  dependencies: ListenerDependencies,
  run: (interaction: Interaction) => Promise<Message | undefined>,
): void {
  const answeredEvents = new Set<string>();

  function isRepeated({ body, context: { retryNum = 0, retryReason = '' } }: EventArgs): boolean {
    if (retryNum > 0 && !undelivered.has(retryReason)) return true;
    if (answeredEvents.has(body.event_id)) return true;
    if (answeredEvents.size >= maxRememberedEvents) answeredEvents.clear();
    answeredEvents.add(body.event_id);
    return false;
  }

  async function answer(args: EventArgs): Promise<void> {
    const { context } = args;
    const event = direct.or(mention).safeParse(args.event).data;
    if (!event || isRepeated(args)) return;
    const { user: slackUserId, channel: channelId, thread_ts: threadTs } = event;
    const call = {
      ...originOf(context),
      kind: 'command' as const,
      slackUserId,
      listener: event.type,
    };
    const opened = await openClient(call, dependencies);
    if ('refusal' in opened) return;
    const { slack } = opened;
    const caller: Caller = { ...call, slack };
    const send = (message: Message): Promise<unknown> =>
      event.type === 'message'
        ? postMessage(slack, channelId, message, threadTs)
        : notifyPerson(slack, { slackUserId, channelId, threadTs }, message);
    await runReportingFailure(dependencies, caller, send, async () => {
      const authorized = await authorizeCaller(caller, dependencies);
      if (!('refusal' in authorized)) {
        const message = await run(authorized);
        if (message) await send(message);
      } else if (authorized.membership && authorized.membership !== 'bot') {
        // An answer to a bot, or to too many messages, could be answered in turn.
        await send(notice(authorized.refusal));
      }
    });
  }

  app.event('message', answer);
  app.event('app_mention', answer);
}
