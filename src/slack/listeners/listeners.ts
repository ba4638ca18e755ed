import type { App } from '@slack/bolt';
import type { z } from 'zod';
import type { MonotonicClock } from '../../clock.ts';
import type { Message } from '../ui/blocks.ts';
import type { Pager } from '../ui/pager.ts';
import { type ActionOptions, listenForAction } from './action.ts';
import type { ListenerDependencies } from './authorize-caller.ts';
import type { ChooseConnection } from './choose-connection.ts';
import { listenForCommand } from './command.ts';
import type {
  ActionInteraction,
  ActionResponse,
  CommandInteraction,
  FormOrigin,
  Interaction,
} from './interaction.ts';
import { listenForMessages } from './message.ts';
import { type CallLimits, createRecentCallers } from './recent-callers.ts';
import { createRoutes } from './routes.ts';
import { listenForSubmission, type Submission } from './submission.ts';
import { listenForUnknownIds } from './unknown-ids.ts';
import { listenForVerifiedSubmission, type VerifiedSubmission } from './verified-submission.ts';

/**
 * What features register with Slack. Every listener acknowledges at once, lets only full members of
 * this workspace continue, and answers an error with a private message and a reference.
 */
export type Listeners = {
  /** A direct message to Belay, or a mention of Belay in a channel. */
  message: (run: (interaction: Interaction) => Promise<Message | undefined>) => void;
  command: (
    name: string,
    run: (interaction: CommandInteraction) => Promise<Message | undefined>,
    subcommands?: readonly string[],
  ) => void;
  action: <Value>(
    actionId: string,
    value: z.ZodType<Value>,
    run: (interaction: ActionInteraction<Value>) => Promise<ActionResponse | undefined>,
    options?: ActionOptions,
  ) => void;
  /** The buttons of a list, each of which replaces the list with another page. */
  pages: <Query>(
    pager: Pager<Query>,
    show: (call: ActionInteraction<Query>) => Promise<Message>,
  ) => void;
  submission: <M extends FormOrigin>(callbackId: string, submission: Submission<M>) => void;
  /** For the router: the connection that a command is about. */
  chooseConnection: ChooseConnection;
  verifiedSubmission: <M extends FormOrigin>(
    callbackId: string,
    submission: VerifiedSubmission<M>,
  ) => void;
};

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
): Listeners {
  const dependencies = { ...given, recentCallers: createRecentCallers(callLimits, now) };
  // Unknown ids are no label for a metric: there is no end of them.
  const unobserved = { ...dependencies, observer: undefined };
  const routes = createRoutes(app, listenForUnknownIds(app, unobserved));
  return {
    chooseConnection: given.chooseConnection,
    message: (run) => listenForMessages(app, dependencies, run),
    command: (name, run, subcommands) =>
      listenForCommand(routes, dependencies, name, run, subcommands),
    action: (actionId, value, run, options) =>
      listenForAction(routes, dependencies, actionId, value, run, options),
    pages({ actionIds, query }, show) {
      for (const actionId of actionIds) {
        listenForAction(
          routes,
          dependencies,
          actionId,
          query,
          async (call) => ({ replace: await show(call) }),
          { isAnnounced: true },
        );
      }
    },
    submission: (callbackId, submission) =>
      listenForSubmission(routes, dependencies, callbackId, submission),
    verifiedSubmission: (callbackId, submission) =>
      listenForVerifiedSubmission(routes, dependencies, callbackId, submission),
  };
}
