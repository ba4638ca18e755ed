import type { Logger } from '../../logger.ts';
import { addReference, inSpan, newReference, setFailed } from '../../tracing.ts';
import { type Message, notice } from '../ui/blocks.ts';
import { MissingRight, Refusal } from './interaction.ts';

/** Called after every listener, with the name that it was registered with. */
type ListenerObserver = {
  handled: (call: { listener: string; ms: number }) => void;
  failed: (call: { listener: string }) => void;
};

/** A member lacked the right to use this command, button or form. */
export type RefusedUse = { teamId: string; slackUserId: string; used: string };

export type FailureDependencies = {
  log: Logger;
  /** The text for a person: what happened, whether anything changed, what to do next. */
  describeFailure: (error: unknown) => string;
  observer?: ListenerObserver | undefined;
  onRightMissing: (refused: RefusedUse) => Promise<void>;
};

type FailedCaller = {
  teamId: string;
  slackUserId: string;
  listener: string;
  /** The name of the trace's span, if there is no end of listeners' names. */
  spanName?: string;
};

/** Never fails: the person is answered even if it can't be recorded. */
export async function recordMissingRight(
  { log, onRightMissing }: Pick<FailureDependencies, 'log' | 'onRightMissing'>,
  { teamId, slackUserId, listener }: FailedCaller,
  used = listener,
): Promise<void> {
  try {
    await onRightMissing({ teamId, slackUserId, used });
  } catch (error) {
    log.error({ teamId, slackUserId, listener, err: error }, 'a refusal could not be recorded');
  }
}

/** Logs the error and returns a message with the reference of its log line. A refusal is no error. */
export async function reportFailure(
  dependencies: FailureDependencies,
  error: unknown,
  caller: FailedCaller,
): Promise<Message> {
  const { log, describeFailure, observer } = dependencies;
  const { teamId, slackUserId, listener } = caller;
  if (error instanceof MissingRight) await recordMissingRight(dependencies, caller, error.used);
  if (error instanceof Refusal) return error.answer;
  const reference = newReference();
  observer?.failed({ listener });
  addReference(reference);
  setFailed(error);
  log.error({ teamId, slackUserId, listener, reference, err: error }, 'a listener failed');
  return notice(`${describeFailure(error)}\nReference ${reference}`);
}

/** Runs `work`. What it throws is logged once and reported to the person through `send`. */
export async function runReportingFailure(
  dependencies: FailureDependencies,
  caller: FailedCaller,
  send: (message: Message) => Promise<unknown>,
  work: () => Promise<unknown>,
): Promise<void> {
  const startedAt = performance.now();
  const { listener, spanName = listener } = caller;
  await inSpan(spanName, {}, async () => {
    try {
      await work();
    } catch (error) {
      const message = await reportFailure(dependencies, error, caller);
      await send(message).catch((sendError: unknown) => {
        dependencies.log.error({ listener, err: sendError }, 'a failure could not be reported');
      });
    } finally {
      dependencies.observer?.handled({ listener, ms: performance.now() - startedAt });
    }
  });
}
