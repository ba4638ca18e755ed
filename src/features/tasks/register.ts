import type { ServiceClient } from '../../dataprotection/client.ts';
import { OperationUnavailableError } from '../../dataprotection/http/errors.ts';
import { collectItems } from '../../dataprotection/paging/collect-items.ts';
import { listTasks } from '../../dataprotection/resources/tasks.ts';
import type { Approvals } from '../../requests/approvals.ts';
import type { Interaction } from '../../slack/interactions/interaction.ts';
import type { Subcommand } from '../../slack/interactions/subcommand.ts';
import type { Message } from '../../slack/ui/blocks.ts';
import type { DrillRuns } from '../drills/index.ts';
import { type RunningTasks, taskListMessage } from './views/task-list-message.ts';

const readMs = 8000;

type TaskDependencies = { approvals: Approvals; drillRuns: DrillRuns };

/** `/belay tasks`: what Belay started, and what runs in the service now. */
export function registerTasks(dependencies: TaskDependencies): Subcommand[] {
  return [
    {
      name: 'tasks',
      usage: 'tasks',
      summary: 'Show the tasks that Belay started and those that run in the service now',
      details: [
        'A task is background work of the service, such as a restore or a backup.',
        'Restores can be aborted in the message of their request.',
      ],
      run: (call) => showTasks(call, dependencies),
    },
  ];
}

/** @throws {ServiceError} */
async function showTasks(
  call: Interaction,
  { approvals, drillRuns }: TaskDependencies,
): Promise<Message> {
  const { client, originId } = await call.service();
  const [started, drills, running] = await Promise.all([
    approvals.listStartedTasks(call, originId),
    drillRuns.listInProgress({ teamId: call.teamId, originId }),
    readRunning(client),
  ]);
  return taskListMessage({ started, drills, running });
}

/** Undefined if the service lists no tasks. */
async function readRunning(client: ServiceClient): Promise<RunningTasks | undefined> {
  try {
    const signal = AbortSignal.timeout(readMs);
    return await collectItems(listTasks(client, { isRunning: true }, { signal }));
  } catch (error) {
    if (error instanceof OperationUnavailableError) return undefined;
    throw error;
  }
}
