import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { CallOptions, ServiceClient } from '../client.ts';
import { dialectRules } from '../dialects/dialect.ts';
import { findOperation } from '../dialects/find-operation.ts';
import { ServiceTimeoutError } from '../http/errors.ts';
import { idSchema, lenientObject, optional } from '../lenient-object.ts';
import { listPages } from '../paging/list-pages.ts';
import type { Page } from '../paging/page.ts';

const taskSchema = lenientObject({
  id: idSchema,
  type: optional(z.string()),
  status: optional(z.string()),
  progressPercentage: optional(z.number()),
  isAbortable: optional(z.boolean()),
  createdTimestamp: optional(z.string()),
  endTimestamp: optional(z.string()),
  primaryEntity: optional(z.object({ value: z.string().nullish() })),
});

/** Background work of the service (§10 The live dialect). `status` is an open set. */
export type Task = z.output<typeof taskSchema>;

/** `still-running`: the task didn't end within the time limit. */
type TaskOutcome =
  | { outcome: 'completed'; task: Task }
  | { outcome: 'failed' | 'aborted'; task: Task }
  | { outcome: 'still-running'; taskId: string };

export type PollOptions = CallOptions & { everyMs?: number; timeoutMs?: number };

/**
 * The current state of one task.
 * @throws {OperationUnavailableError} if the service has no tasks.
 */
export async function readTask(
  client: ServiceClient,
  taskId: string,
  options: CallOptions = {},
): Promise<Task> {
  const target = await findOperation(client, 'readTask', [taskId], options);
  return client.send({ method: 'GET', target, signal: options.signal }, taskSchema);
}

type TaskFilter = {
  type?: string | undefined;
  createdSince?: Date | undefined;
  /** Only those that have not ended. */
  isRunning?: boolean;
};

/**
 * The tasks that match, page by page.
 * @throws {OperationUnavailableError} if the service has no tasks.
 */
export async function* listTasks(
  client: ServiceClient,
  { type, createdSince, isRunning = false }: TaskFilter,
  options: CallOptions = {},
): AsyncGenerator<Page<Task>> {
  const target = await findOperation(client, 'listTasks', [], options);
  const { pageSize, filtered } = dialectRules[client.dialect];
  const conditions = filtered({
    type: type === undefined ? undefined : { $in: [type] },
    created_timestamp: createdSince && { $gte: createdSince.toISOString() },
    status: isRunning ? { $in: ['queued', 'in_progress', 'aborting'] } : undefined,
  });
  const query = { ...pageSize, ...conditions };
  yield* listPages(client, { target, query, itemSchema: taskSchema }, options);
}

/**
 * Asks the service to abort a task. The task ends later, as aborted or otherwise.
 * @throws {ServiceError} if the service refuses, because the task has ended
 */
export async function abortTask(
  client: ServiceClient,
  taskId: string,
  options: CallOptions = {},
): Promise<void> {
  const target = await findOperation(client, 'updateTask', [taskId], options);
  const body = { status: 'aborting' };
  await client.send({ method: 'PATCH', target, body, signal: options.signal }, taskSchema);
}

/**
 * Reads a task every `everyMs` until it ends, for at most `timeoutMs`.
 * @throws {ServiceError} if the task can't be read; or the reason of the caller's signal. The task
 * itself continues in both cases.
 */
export async function pollTask(
  client: ServiceClient,
  taskId: string,
  { everyMs = 2000, timeoutMs = 60_000, signal }: PollOptions = {},
): Promise<TaskOutcome> {
  const deadline = AbortSignal.timeout(timeoutMs);
  const either = signal ? AbortSignal.any([signal, deadline]) : deadline;
  try {
    for (;;) {
      const task = await readTask(client, taskId, { signal: either });
      const outcome = finalStatus(task);
      if (outcome) return { outcome, task };
      // If the signal ends the pause, the next read throws the right error.
      await sleep(everyMs, undefined, { signal: either }).catch(() => undefined);
    }
  } catch (error) {
    const isTimedOut = deadline.aborted && !signal?.aborted;
    if (isTimedOut && error instanceof ServiceTimeoutError) {
      return { outcome: 'still-running', taskId };
    }
    throw error;
  }
}

/** Undefined while the task may still act. */
export function finalStatus({ status }: Task): 'completed' | 'failed' | 'aborted' | undefined {
  return status === 'completed' || status === 'failed' || status === 'aborted' ? status : undefined;
}
