import { approvableActions } from '../../../src/features/actions/index.ts';
import { taskListMessage } from '../../../src/features/tasks/views/task-list-message.ts';
import { createActionBinder } from '../../../src/requests/define-action.ts';
import { sampleRun } from '../drills/every-drill-view.ts';
import { restoreRequests } from '../restores/sample-restore.ts';
import type { Samples } from '../samples.ts';

const bind = createActionBinder(approvableActions);

/** Every message about tasks. */
export function everyTaskView(samples: Samples): Record<string, unknown[]> {
  const started = restoreRequests(samples)
    .filter(({ state }) => state !== 'pending')
    .map((approval) => ({
      taskId: '65',
      approval,
      action: bind(approval),
      link: '<https://harbor-ops.slack.com/archives/C1/p1|View request>',
    }));
  const items = Array.from({ length: 12 }, (_, index) => ({
    id: String(index),
    type: samples.word,
    status: index === 0 ? 'queued' : 'in_progress',
    progressPercentage: 40,
    createdTimestamp: '2026-11-21T09:00:00Z',
    primaryEntity: { value: samples.typed },
    otherFields: {},
  }));
  const drills = Array.from({ length: 12 }, () => sampleRun(samples));
  return {
    taskListMessage: [
      taskListMessage({ started, drills, running: { items, isComplete: true } }),
      taskListMessage({ started: [], drills: [], running: { items: [], isComplete: false } }),
      taskListMessage({ started: [], drills: [], running: undefined }),
    ],
  };
}
