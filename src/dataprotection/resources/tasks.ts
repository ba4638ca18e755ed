import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { CallOptions, ServiceClient } from '../client.ts';
import { findOperation } from '../dialects/find-operation.ts';
import { ServiceTimeoutError } from '../http/errors.ts';
import { idSchema, lenientObject, optional } from '../lenient-object.ts';

/** Work that the service does in the background. `status` is an open set of words. */
export type Task = {
  id: string;
  type?: string | undefined;
  status?: string | undefined;
  progressPercentage?: number | undefined;
  otherFields: Record<string, unknown>;
};

/** How a task ended, or that it had not when there was no more time to wait. */
export type TaskOutcome =
  | { outcome: 'completed'; task: Task }
  | { outcome: 'failed' | 'aborted'; task: Task }
  | { outcome: 'still-running'; taskId: string };

export type TaskPatience = CallOptions & { everyMs?: number; timeoutMs?: number };

const taskSchema = lenientObject(
  {
    id: idSchema,
    type: optional(z.string()),
    status: optional(z.string()),
    progress_percentage: optional(z.number()),
  },
  ({ fields: { progress_percentage, ...fields }, otherFields }): Task => ({
    ...fields,
    progressPercentage: progress_percentage,
    otherFields,
  }),
);

/** One task as it is now. Throws `OperationUnavailableError` where a service has no tasks. */
export async function readTask(
  client: ServiceClient,
  taskId: string,
  options: CallOptions = {},
): Promise<Task> {
  const target = await findOperation(client, 'readTask', [taskId], options);
  return client.send({ method: 'GET', target, signal: options.signal }, taskSchema);
}

/**
 * Reads a task every `everyMs` until it has ended, for at most `timeoutMs`. Throws `ServiceError`
 * when the task cannot be read, or the reason of the caller's signal: the task goes on regardless.
 */
export async function pollTask(
  client: ServiceClient,
  taskId: string,
  { everyMs = 2000, timeoutMs = 60_000, signal }: TaskPatience = {},
): Promise<TaskOutcome> {
  const deadline = AbortSignal.timeout(timeoutMs);
  const either = signal ? AbortSignal.any([signal, deadline]) : deadline;
  try {
    for (;;) {
      const task = await readTask(client, taskId, { signal: either });
      const outcome = endOf(task);
      if (outcome) return { outcome, task };
      // A pause that is cut short is told by the next reading, in the words of every other call.
      await sleep(everyMs, undefined, { signal: either }).catch(() => undefined);
    }
  } catch (error) {
    const isOutOfTime = deadline.aborted && !signal?.aborted;
    if (isOutOfTime && error instanceof ServiceTimeoutError) {
      return { outcome: 'still-running', taskId };
    }
    throw error;
  }
}

function endOf({ status }: Task): 'completed' | 'failed' | 'aborted' | undefined {
  return status === 'completed' || status === 'failed' || status === 'aborted' ? status : undefined;
}
