import type { Logger } from '../../logger.ts';
import { type Message, notice } from '../ui/blocks.ts';

export type FailureDependencies = {
  log: Logger;
  /** Words for a person: what happened, whether anything changed, what to do next. */
  describeFailure: (error: unknown) => string;
  /** A short id that a person can quote and that finds the log line. */
  newReference: () => string;
};

/** Logs a fault once and returns what the person is told, with the reference that finds the line. */
export function reportFailure(
  { log, describeFailure, newReference }: FailureDependencies,
  error: unknown,
  { teamId, slackUserId, listener }: { teamId: string; slackUserId: string; listener: string },
): Message {
  const reference = newReference();
  log.error({ teamId, slackUserId, listener, reference, err: error }, 'a listener failed');
  return notice(`${describeFailure(error)}\n_Reference: ${reference}_`);
}
