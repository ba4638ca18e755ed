import type { App } from '@slack/bolt';
import type { z } from 'zod';
import type { Message } from '../ui/blocks.ts';
import type { ActionCall, Answer, CommandCall, FormOrigin } from './call.ts';
import type { FailureDependencies } from './failure.ts';
import { type ActionOptions, listenForAction } from './listen-action.ts';
import { listenForCommand } from './listen-command.ts';
import {
  listenForSubmission,
  listenForVerifiedSubmission,
  type Submission,
} from './listen-submission.ts';
import { listenForUnknownIds } from './unknown-ids.ts';
import type { VerifiedSubmission } from './verified-submission.ts';

/**
 * The doors into Belay. Each acknowledges at once, lets in only full members of this workspace,
 * and turns whatever is thrown into a private message with a reference.
 */
export type Listeners = {
  command: (name: string, run: (call: CommandCall) => Promise<Message | undefined>) => void;
  action: <Value>(
    actionId: string,
    value: z.ZodType<Value>,
    run: (call: ActionCall<Value>) => Promise<Answer | undefined>,
    options?: ActionOptions,
  ) => void;
  submission: <M extends FormOrigin>(callbackId: string, submission: Submission<M>) => void;
  verifiedSubmission: <M extends FormOrigin>(
    callbackId: string,
    submission: VerifiedSubmission<M>,
  ) => void;
};

export function createListeners(app: App, dependencies: FailureDependencies): Listeners {
  const actionIds = new Set<string>();
  const callbackIds = new Set<string>();
  listenForUnknownIds(app, dependencies, { actionIds, callbackIds });
  return {
    command: (name, run) => listenForCommand(app, dependencies, name, run),
    action(actionId, value, run, options) {
      actionIds.add(actionId);
      listenForAction(app, dependencies, actionId, value, run, options);
    },
    submission(callbackId, submission) {
      callbackIds.add(callbackId);
      listenForSubmission(app, dependencies, callbackId, submission);
    },
    verifiedSubmission(callbackId, submission) {
      callbackIds.add(callbackId);
      listenForVerifiedSubmission(app, dependencies, callbackId, submission);
    },
  };
}
