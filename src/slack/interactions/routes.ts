import type {
  App,
  BlockAction,
  Middleware,
  SlackActionMiddlewareArgs,
  SlackCommandMiddlewareArgs,
  SlackViewMiddlewareArgs,
  ViewSubmitAction,
} from '@slack/bolt';
import { readClick } from '../ui/more-menu.ts';

/** The listener that runs for an interaction, by kind. */
export type Handlers = {
  command: Middleware<SlackCommandMiddlewareArgs>;
  action: Middleware<SlackActionMiddlewareArgs<BlockAction>>;
  submission: Middleware<SlackViewMiddlewareArgs<ViewSubmitAction>>;
};

/** Adds the listener for the name of a command, an `action_id` or a `callback_id`. */
export type Routes = {
  [Kind in keyof Handlers]: (id: string, listener: Handlers[Kind]) => void;
};

/**
 * Finds the listener of an interaction by its id. Bolt runs the middleware of all its listeners for
 * each request, so with one for each id every command would cost more with every feature.
 * @param unknown runs for ids that no listener was added for
 */
export function createRoutes(app: App, unknown: Handlers): Routes {
  const commands = new Map<string, Handlers['command']>();
  const actions = new Map<string, Handlers['action']>();
  const submissions = new Map<string, Handlers['submission']>();
  app.command(/^/, (given) => (commands.get(given.command.command) ?? unknown.command)(given));
  app.action({ type: 'block_actions' }, (given) =>
    (actions.get(readClick(given.action).actionId) ?? unknown.action)(given),
  );
  app.view<ViewSubmitAction>({ type: 'view_submission' }, (given) =>
    (submissions.get(given.view.callback_id) ?? unknown.submission)(given),
  );
  return {
    command: (name, listener) => addOnce(commands, name, listener),
    action: (actionId, listener) => addOnce(actions, actionId, listener),
    submission: (callbackId, listener) => addOnce(submissions, callbackId, listener),
  };
}

function addOnce<Listener>(listeners: Map<string, Listener>, id: string, listener: Listener): void {
  if (listeners.has(id)) throw new Error(`there are two listeners for ${id}`);
  listeners.set(id, listener);
}
