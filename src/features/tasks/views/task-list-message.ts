import type { Task } from '../../../dataprotection/resources/tasks.ts';
import { parseTimestamp } from '../../../dataprotection/timestamp.ts';
import { type StartedTask, startedDays } from '../../../requests/list/list-started-tasks.ts';
import { formatTitle } from '../../../requests/views/format-title.ts';
import { context, type Message, message, notice, section } from '../../../slack/ui/blocks.ts';
import { age, bold, code, safe } from '../../../slack/ui/mrkdwn.ts';
import { capitalize, plural } from '../../../slack/ui/words.ts';
import { type DrillRun, formatRunVolume } from '../../drills/index.ts';

/** `isComplete` is false if time ran out before the last page. */
export type RunningTasks = { items: Task[]; isComplete: boolean };

const maxShown = 10;

/** What Belay started, and what runs in the service; `running` is undefined if the service lists no tasks. */
export function taskListMessage({
  started,
  drills,
  running,
}: {
  started: StartedTask[];
  drills: DrillRun[];
  running: RunningTasks | undefined;
}): Message {
  if (!running)
    return notice("This service doesn't list tasks through its API. Use the service's portal.");
  const own = new Set([
    ...started.map(({ taskId }) => taskId),
    ...drills.map(({ task_id: taskId }) => taskId),
  ]);
  const others = running.items.filter(({ id }) => !own.has(id));
  const shown = others.slice(0, maxShown);
  const left = others.length - shown.length;
  const shownDrills = drills.slice(0, maxShown).map(formatDrill);
  const more = left > 0 ? `${plural(left, 'more task')} not shown` : undefined;
  const notes = [more, running.isComplete ? undefined : 'Partial results: reading took too long.'];
  const least = running.isComplete ? '' : 'at least ';
  return message([
    listSection(`*Started by Belay* · last ${startedDays} days`, started.map(formatStarted)),
    ...(drills.length > 0
      ? [listSection(`*Restore drills in progress* · ${drills.length}`, shownDrills)]
      : []),
    listSection(
      `*Also running in the service* · ${least}${others.length}`,
      shown.map(formatRunning),
    ),
    ...notes.flatMap((note) => (note ? [context(note)] : [])),
  ]);
}

function listSection(title: string, lines: string[]) {
  return section([title, ...(lines.length > 0 ? lines : ['None.'])].join('\n'));
}

/** "🔄 Running · Restore volume *orders-db* … · task `65` · 3 hours ago · View request" */
function formatStarted({ taskId, approval, action, link }: StartedTask): string {
  const { startedAt } = approval.runs[0];
  return [
    formatTitle(approval, action),
    capitalize(action.summary),
    `task ${code(taskId, 60)}`,
    startedAt && age(startedAt),
    link,
  ]
    .filter(Boolean)
    .join(' · ');
}

/** "*orders-db* · vol-0a1b… · task `65` · 3 hours ago" */
function formatDrill(run: DrillRun): string {
  const { task_id: taskId, sent_at: sentAt } = run;
  return [formatRunVolume(run), taskId && `task ${code(taskId, 60)}`, sentAt && age(sentAt)]
    .filter(Boolean)
    .join(' · ');
}

/** "*aws ebs volume backup* · orders-db · 40% complete · 12 minutes ago" */
function formatRunning({ id, type = 'task', status = '', ...task }: Task): string {
  const { progressPercentage, createdTimestamp, primaryEntity } = task;
  const createdAt = parseTimestamp(createdTimestamp);
  const isMoving = status === 'in_progress' && progressPercentage !== undefined;
  return [
    bold(type.replaceAll('_', ' '), 80),
    primaryEntity?.value && safe(primaryEntity.value, 120),
    isMoving ? `${progressPercentage}% complete` : safe(status.replaceAll('_', ' '), 40),
    `task ${code(id, 60)}`,
    createdAt && age(createdAt),
  ]
    .filter(Boolean)
    .join(' · ');
}
