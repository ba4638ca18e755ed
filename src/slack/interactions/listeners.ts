import type { AllMiddlewareArgs, App, SlackEventMiddlewareArgs } from '@slack/bolt';
import { z } from 'zod';
import type { MonotonicClock } from '../../clock.ts';
import { notifyPerson, postMessage } from '../api/post.ts';
import { type Message, notice } from '../ui/blocks.ts';
import { fitMessage } from '../ui/fit-message.ts';
import type { Fields, Form, FormOrigin } from '../ui/form.ts';
import { fillModal, type ModalView, type Pending } from '../ui/modal.ts';
import { stripLinks } from '../ui/mrkdwn.ts';
import type { Pager } from '../ui/pager.ts';
import { type ActionOptions, listenForAction } from './action.ts';
import { authorizeCaller, type ListenerDependencies } from './authorize-caller.ts';
import { listenForCommand } from './command.ts';
import type {
  ActionInteraction,
  ActionResponse,
  CommandInteraction,
  MessageInteraction,
  Right,
} from './interaction.ts';
import { openClient, originOf } from './open-client.ts';
import { type CallLimits, createRecentCallers } from './recent-callers.ts';
import { runReportingFailure } from './report-failure.ts';
import { createRoutes } from './routes.ts';
import { listenForSubmission, type Submission } from './submission.ts';
import { listenForUnknownIds } from './unknown-ids.ts';
import { listenForVerifiedSubmission, type VerifiedSubmission } from './verified-submission.ts';

/** How a feature answers; only the person sees the message. */
type Answer<Call> = (call: Call) => Promise<Message | undefined>;

export type Listeners = ReturnType<typeof createListeners>;

/**
 * What features register with Slack. Every listener acknowledges at once, lets only full members of
 * this workspace continue, and answers an error with a private message and a reference.
 */
export function createListeners(
  app: App,
  {
    now,
    callLimits,
    ...given
  }: Omit<ListenerDependencies, 'recentCallers'> & {
    now?: MonotonicClock | undefined;
    callLimits?: CallLimits | undefined;
  },
) {
  const dependencies = { ...given, recentCallers: createRecentCallers(callLimits, now) };
  // Unknown ids are no label for a metric: there is no end of them.
  const unobserved = { ...dependencies, observer: undefined };
  const routes = createRoutes(app, listenForUnknownIds(app, unobserved));

  function action<Value>(
    actionId: string,
    value: z.ZodType<Value>,
    run: (call: ActionInteraction<Value>) => Promise<ActionResponse | undefined>,
    options?: ActionOptions,
  ): void {
    listenForAction(routes, dependencies, actionId, value, run, options);
  }

  return {
    action,

    /** A direct message to Belay, or a mention of Belay in a channel. */
    message: (run: Answer<MessageInteraction>) => listenForMessages(app, dependencies, run),

    command: (
      name: string,
      run: Answer<CommandInteraction>,
      subcommandOf?: (text: string) => string | undefined,
    ) => listenForCommand(routes, dependencies, name, run, subcommandOf),

    /** A button that opens a form, or replaces the modal that it is in. `fill` makes the form. */
    opens<Value>(
      actionId: string,
      value: z.ZodType<Value>,
      {
        needs,
        fill,
        ...pending
      }: Pending & { needs?: Right; fill: (call: ActionInteraction<Value>) => Promise<ModalView> },
    ): void {
      const open = async (call: ActionInteraction<Value>) => {
        await fillModal(call, pending, () => fill(call));
        return undefined;
      };
      action(actionId, value, open, { needs });
    },

    /** The buttons of a list, each of which replaces the list with another page. */
    pages<Query>(
      { actionIds, query }: Pager<Query>,
      show: (call: ActionInteraction<Query>) => Promise<Message>,
      options?: Pick<ActionOptions, 'needs'>,
    ): void {
      const replace = async (call: ActionInteraction<Query>) => ({ replace: await show(call) });
      for (const id of actionIds) action(id, query, replace, { ...options, isAnnounced: true });
    },

    form: <Metadata extends FormOrigin, Of extends Fields>(
      form: Form<Metadata, Of>,
      submission: Submission<Metadata, Of> | VerifiedSubmission<Metadata, Of>,
    ) =>
      'verify' in submission
        ? listenForVerifiedSubmission(routes, dependencies, form, submission)
        : listenForSubmission(routes, dependencies, form, submission),
  };
}

/**
 * A message that a person has just written: not an edit, not a bot's. Of the subtypes only that of a
 * message with files is one. https://docs.slack.dev/reference/events/message
 */
const written = z.object({
  user: z.string(),
  channel: z.string(),
  text: z.string().default(''),
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
function listenForMessages(
  app: App,
  dependencies: ListenerDependencies,
  run: Answer<MessageInteraction>,
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
    const caller = await openClient(call, dependencies);
    if ('refusal' in caller) return;
    const { slack } = caller;
    const send = (message: Message): Promise<unknown> =>
      event.type === 'message'
        ? postMessage(slack, channelId, fitMessage(message), threadTs)
        : notifyPerson(slack, { slackUserId, channelId, threadTs }, fitMessage(message));
    await runReportingFailure(dependencies, caller, send, async () => {
      const authorized = await authorizeCaller(caller, dependencies);
      if (!('refusal' in authorized)) {
        const [belay] = args.body.authorizations ?? [];
        const text = stripLinks(withoutMention(event.text, belay?.user_id));
        const message = await run({ ...authorized, channelId, text });
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

/** "@Belay alerts" and "errors today @Belay", but not the mention of a person. */
function withoutMention(text: string, slackUserId: string | undefined): string {
  return text
    .replaceAll(/<@([^|>]*)[^>]*>[\s,:]*/g, (found, id) => (id === slackUserId ? ' ' : found))
    .trim();
}
