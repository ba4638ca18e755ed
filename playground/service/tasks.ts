import { z } from 'zod';
import type { Clock } from '../../src/clock.ts';
import type { Collection } from './data/collection.ts';
import type { Entity, Task, TaskStatus } from './resources.ts';

/**
 * When a task ends and how: after a number of reads, else after `delayMs` by the service's clock,
 * by default 1,000. A `stalled` task makes no more progress after a while, and completes only with
 * `finishTasks`. A `vanished` one does its work, but can no longer be read or listed.
 */
export const taskTimingsSchema = z.strictObject({
  delayMs: z.number().nonnegative().optional(),
  reads: z.int().nonnegative().optional(),
  outcome: z.enum(['completed', 'failed', 'aborted', 'stalled', 'vanished']).optional(),
});
export type TaskTimings = z.infer<typeof taskTimingsSchema>;

type Outcome = 'completed' | 'failed' | 'aborted';
type Running = {
  share: (now: Date) => number;
  reads: number;
  outcome: Outcome | 'vanished';
  onEnd: (outcome: Outcome, now: Date) => void;
};

type NewTask = {
  type: string;
  category: string;
  genre: Task['genre'];
  /** Instead of the outcome that the timings ask for. */
  outcome?: Outcome | undefined;
  primaryEntity: Entity;
  organizationalUnitId: string;
  onEnd: (outcome: Outcome, now: Date) => void;
};

/** The background tasks of one portal. */
export type TaskRunner = {
  start: (task: NewTask) => Task;
  /** Advances every task to the current time and runs the effects of those that ended. */
  settle: () => void;
  countRead: (id: string) => void;
  /** Ends every running task with the next request. */
  finish: () => void;
  /** Sets a queued or running task to aborting; it ends before the next request is handled. */
  abort: (task: Task) => Task;
};

type RunnerOptions = { tasks: Collection<Task>; timings: () => TaskTimings; clock: Clock };

const defaultDelayMs = 1_000;
/** The share of its duration during which a task is queued. */
const queuedShare = 0.2;
/** The share that a stalled task never exceeds. */
const stalledShare = 0.6;

export function createTaskRunner({ tasks, timings, clock }: RunnerOptions): TaskRunner {
  const running = new Map<string, Running>();
  let lastId = 0;

  /** Never that of a task that vanished. */
  function newId(): string {
    lastId = Math.max(lastId, ...tasks.all().map(({ id }) => Number(id))) + 1;
    return String(lastId);
  }

  function begin(timingsNow: TaskTimings, onEnd: Running['onEnd']): Running {
    const { reads: readsNeeded, delayMs = defaultDelayMs, outcome = 'completed' } = timingsNow;
    const startedAt = clock().getTime();
    const isStalled = outcome === 'stalled';
    const maxShare = isStalled ? stalledShare : 1;
    const work: Running = {
      reads: 0,
      outcome: isStalled ? 'completed' : outcome,
      onEnd,
      share(now) {
        const [done, whole] =
          readsNeeded === undefined
            ? [now.getTime() - startedAt, delayMs]
            : [work.reads, readsNeeded];
        return whole <= 0 ? maxShare : Math.min(done / whole, maxShare);
      },
    };
    return work;
  }

  function settleOne(id: string, work: Running, now: Date): void {
    const task = tasks.get(id);
    if (!task) return;
    const share = work.share(now);
    if (share < 1) {
      tasks.replace(advance(task, share, now));
      return;
    }
    running.delete(id);
    const outcome = work.outcome === 'vanished' ? 'completed' : work.outcome;
    tasks.replace(end(task, outcome, now));
    if (work.outcome === 'vanished') tasks.remove(id);
    work.onEnd(outcome, now);
  }

  return {
    start({ type, category, genre, outcome, primaryEntity, organizationalUnitId, onEnd }) {
      const task: Task = {
        id: newId(),
        type,
        category,
        genre,
        status: 'queued',
        progress_percentage: 0,
        is_abortable: true,
        created_timestamp: clock().toISOString(),
        start_timestamp: null,
        end_timestamp: null,
        primary_entity: primaryEntity,
        parent_entity: null,
      };
      tasks.addFirst({ organizationalUnitId, resource: task });
      running.set(task.id, begin(outcome ? { ...timings(), outcome } : timings(), onEnd));
      return task;
    },
    settle() {
      const now = clock();
      for (const [id, work] of [...running]) settleOne(id, work, now);
    },
    countRead(id) {
      const work = running.get(id);
      if (work) work.reads += 1;
    },
    finish() {
      for (const work of running.values()) work.share = () => 1;
    },
    abort(task) {
      const aborting: Task = { ...task, status: 'aborting', is_abortable: false };
      tasks.replace(aborting);
      const onEnd = running.get(task.id)?.onEnd ?? (() => {});
      running.set(task.id, { share: () => 1, reads: 0, outcome: 'aborted', onEnd });
      return aborting;
    },
  };
}

function advance(task: Task, share: number, now: Date): Task {
  const isQueued = share < queuedShare;
  const status: TaskStatus = isQueued ? 'queued' : 'in_progress';
  return {
    ...task,
    status,
    progress_percentage: isQueued ? 0 : Math.floor(share * 100),
    start_timestamp: isQueued ? null : (task.start_timestamp ?? now.toISOString()),
  };
}

function end(task: Task, outcome: Outcome, now: Date): Task {
  return {
    ...task,
    status: outcome,
    is_abortable: false,
    progress_percentage: outcome === 'completed' ? 100 : task.progress_percentage,
    start_timestamp: task.start_timestamp ?? now.toISOString(),
    end_timestamp: now.toISOString(),
  };
}
