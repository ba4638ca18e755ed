import type { Backlog } from '../../../health/metrics.ts';
import { moment } from '../../../slack/ui/mrkdwn.ts';
import { plural } from '../../../slack/ui/words.ts';
import { type Finding, ok, problem, warning } from '../finding.ts';

const minute = 60_000;
/** Longer than any takeover takes after a process has died. */
const maxDueMs = 3 * minute;
const maxQueuedMs = 10 * minute;

const workNames: Record<string, string> = {
  request: 'An approved or scheduled request',
  poll: 'A poll for new alerts',
  digest: 'A digest',
  token: "The refresh of a workspace's bot token",
  delivery: 'A channel with waiting messages',
};

/** Work that is due and that nobody does, and messages that are late. */
export function checkBacklog({ oldestDueAt, outbox }: Backlog, now: Date): Finding[] {
  const area = 'Work';
  const overdue = Object.entries(oldestDueAt).flatMap(([kind, dueAt]) =>
    dueAt && +now - +dueAt > maxDueMs
      ? [
          problem(
            area,
            `${workNames[kind] ?? kind} has been due since ${moment(dueAt)}.`,
            'Check that Belay is running and can reach the database. Then search the log for errors.',
          ),
        ]
      : [],
  );
  const { waiting, oldestQueuedAt } = outbox;
  const isLate = oldestQueuedAt && +now - +oldestQueuedAt > maxQueuedMs;
  const late = isLate
    ? [
        warning(
          area,
          `Messages are late: ${waiting} waiting, the oldest since ${moment(oldestQueuedAt)}.`,
          'Narrow the watches of busy channels with `/belay watch`. Slack allows one message per second in a channel.',
        ),
      ]
    : [];
  if (overdue.length + late.length > 0) return [...overdue, ...late];
  return [ok(area, `Nothing is overdue · ${plural(waiting, 'message')} waiting`)];
}
