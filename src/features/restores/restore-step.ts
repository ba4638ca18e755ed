import { isRecent } from '../../clock.ts';
import {
  ForbiddenError,
  NotFoundError,
  OperationUnavailableError,
  ServiceError,
  ServiceTimeoutError,
} from '../../dataprotection/http/errors.ts';
import { listNewestAlerts } from '../../dataprotection/resources/alerts.ts';
import { restoreVolume } from '../../dataprotection/resources/restores.ts';
import {
  abortTask,
  finalStatus,
  listTasks,
  readTask,
  type Task,
} from '../../dataprotection/resources/tasks.ts';
import { listVolumes, type Volume } from '../../dataprotection/resources/volumes.ts';
import { parseTimestamp } from '../../dataprotection/timestamp.ts';
import { subMilliseconds } from '../../dates.ts';
import type { Progress, SentChange, Step, StepDone } from '../../requests/action.ts';
import { bold, code, link, quoteInline, safe } from '../../slack/ui/mrkdwn.ts';
import { requestTagKey, type Tag } from './check-target.ts';
import type { RestorePayload, RestoreSnapshot, RestoreSubject } from './stored-restore.ts';

const lookMs = 20_000;
const minuteMs = 60_000;
/** How much the service's clock may be behind. */
const maxSkewMs = 2 * minuteMs;
/** How long after its task a new volume may be missing in the list of volumes. */
const inventoryMs = 10 * minuteMs;
const dayMs = 24 * 60 * minuteMs;
/** How long Belay looks for a volume without seeing the task that makes it. */
const maxBlindMs = dayMs;
const maxTaskDays = 7;

/**
 * Restores the backup, at most once: every call would make another volume. Nothing that the service
 * returns names the new volume, so it has the id of the request as a tag, by which Belay finds it.
 * `body` has that tag.
 */
export function restoreStep(
  payload: RestorePayload,
  body: string,
  requestId = '',
): Step<RestoreSnapshot, RestoreSubject> {
  const { volume } = payload;
  return {
    name: 'restore',
    sendsOnce: true,
    done: `Volume ${bold(volume.name, 120)} was restored to a new volume.`,
    async isDone(read, sent) {
      // The tag is on no volume before that.
      if (!sent) return false;
      const subject = await read();
      if (!subject) return false;
      const tag = { key: requestTagKey, value: requestId };
      const { environmentId } = payload.target;
      const restore = { ...subject, volumeId: volume.id, environmentId, tag, sent };
      return withPortal(await followRestore(restore), payload);
    },
    abort: {
      async refusal(client, taskId) {
        const task = await readTask(client, taskId, { signal: AbortSignal.timeout(lookMs) });
        if (task.status === 'aborting') return 'The service is already aborting this task.';
        const isAbortable = task.isAbortable !== false && !finalStatus(task);
        return isAbortable ? undefined : "The service can't abort this task anymore.";
      },
      send: (client, taskId) => abortTask(client, taskId, { signal: AbortSignal.timeout(lookMs) }),
    },
    async run(client) {
      const taskId = await restoreVolume(client, body);
      if (taskId === undefined) {
        const words = "The service accepted the restore, but didn't name a task.";
        return { state: 'unknown', words };
      }
      return { state: 'accepted', taskId, words: `${nameTask(taskId)}: queued.` };
    },
  };
}

/** A finished restore leads to the service's portal. */
function withPortal(progress: Progress, { portalUrl }: RestorePayload): Progress {
  if (progress.state !== 'done' || portalUrl === undefined) return progress;
  return { ...progress, words: `${progress.words ?? ''} ${link(portalUrl, 'Open portal')}`.trim() };
}

/** A restore that may have been sent. */
type SentRestore = Pick<RestoreSubject, 'client' | 'now'> & {
  /** The id of the original volume. */
  volumeId: string;
  /** Where the new volume is. */
  environmentId: string;
  /** Only the new volume has it. */
  tag: Tag;
  sent: SentChange;
};

/** `tookMs`: from the start of the task to its end, by the service's clock. */
type RestoreProgress = Progress & { created?: Volume; tookMs?: number | undefined };

/**
 * How far a restore is, which may have been sent. Never a reason to send it again: `not-done` means
 * that there is no trace of it. @throws {ServiceError}
 */
export function followRestore(restore: SentRestore): Promise<RestoreProgress> {
  const look = { ...restore, signal: AbortSignal.timeout(lookMs) };
  const { taskId } = look.sent;
  return taskId === undefined ? lookForVolume(look) : followTask(look, taskId);
}

type Look = SentRestore & { signal: AbortSignal };

const elapsedMs = ({ now, sent }: Look) => now.getTime() - sent.at.getTime();
const nameTask = (taskId: string) => `Task ${code(taskId, 60)}`;

/** After a lost answer: the volume, or a task that may be making it. Never a reason to send again. */
async function lookForVolume(look: Look): Promise<RestoreProgress> {
  const volume = await findVolume(look);
  if (volume) return found(volume);
  if (elapsedMs(look) > maxBlindMs) return { state: 'not-done' };
  const tasks = await undefinedIfHidden(listRestores(look));
  if (!tasks) {
    const words =
      "The service's tasks aren't visible to Belay. Belay is looking for the new volume.";
    return { state: 'in-progress', words };
  }
  const mayBeMaking = tasks.find((task) => !finalStatus(task) || isRecentlyEnded(task, look.now));
  if (!mayBeMaking) return { state: 'not-done' };
  return { state: 'in-progress', words: `${nameTask(mayBeMaking.id)} may be making the volume.` };
}

/** The restores that started since Belay sent this one, of any volume. */
async function listRestores({ client, sent, signal }: Look): Promise<Task[]> {
  const createdSince = subMilliseconds(sent.at, maxSkewMs);
  const filter = { type: 'aws_ebs_volume_restore', createdSince };
  const tasks: Task[] = [];
  for await (const { items } of listTasks(client, filter, { signal })) tasks.push(...items);
  return tasks;
}

async function followTask(look: Look, taskId: string): Promise<RestoreProgress> {
  const task = await undefinedIfHidden(readTask(look.client, taskId, look));
  if (!task) return lookBlindly(look, taskId);
  const name = nameTask(taskId);
  switch (finalStatus(task)) {
    case 'failed':
      return { state: 'failed', words: `${name} failed.${await readReason(look)}` };
    case 'aborted':
      return {
        state: 'failed',
        words: `${name} was aborted. If it left a volume behind, the volume has the tag ${formatTag(look)}.`,
      };
    case 'completed': {
      const tookMs = readDuration(task);
      // The volume exists, even if there are too many to find it in time.
      const volume = await findVolume(look).catch((error: unknown) => {
        if (error instanceof ServiceTimeoutError) return undefined;
        throw error;
      });
      if (volume) return { ...found(volume), tookMs };
      if (isRecentlyEnded(task, look.now)) {
        const words = `${name} is complete. Belay is looking for the new volume.`;
        return { state: 'in-progress', words };
      }
      const words = `Belay didn't find the new volume. Look for the tag ${formatTag(look)}.`;
      return { state: 'done', words, tookMs };
    }
    default: {
      const isStuck = elapsedMs(look) > maxTaskDays * dayMs;
      const words = `${name}: ${formatProgress(task)}.`;
      if (!isStuck) return { state: 'in-progress', words };
      return {
        state: 'unknown',
        words: `${words} Belay followed the task for ${maxTaskDays} days.`,
      };
    }
  }
}

/** Rounded, because every change is shown in the request's messages. */
function formatProgress({ status = 'running', progressPercentage = 0 }: Task): string {
  if (status !== 'in_progress') return safe(status.replaceAll('_', ' '), 60);
  return `${Math.floor(progressPercentage / 10) * 10}% complete`;
}

/** Undefined if the token may not read tasks, or if one is gone: there may be a restore all the same. */
async function undefinedIfHidden<Found>(reading: Promise<Found>): Promise<Found | undefined> {
  try {
    return await reading;
  } catch (error) {
    const isHidden = [ForbiddenError, NotFoundError, OperationUnavailableError].some(
      (kind) => error instanceof kind,
    );
    if (isHidden) return undefined;
    throw error;
  }
}

async function lookBlindly(look: Look, taskId: string): Promise<RestoreProgress> {
  const volume = await findVolume(look);
  if (volume) return found(volume);
  const words = `${nameTask(taskId)} isn't visible to Belay.`;
  if (elapsedMs(look) <= maxBlindMs) {
    return { state: 'in-progress', words: `${words} Belay is looking for the new volume.` };
  }
  return { state: 'unknown', words: `${words} No volume has the tag ${formatTag(look)}.` };
}

const formatTag = ({ tag: { key, value } }: Look) => code(`${key}=${value}`);

/** Among the deleted ones only if no other has the tag: there may be many more of them. */
async function findVolume({
  client,
  environmentId,
  tag,
  signal,
}: Look): Promise<Volume | undefined> {
  for (const isDeleted of [false, true]) {
    const volumes = listVolumes(client, { environmentId, isDeleted }, { signal });
    for await (const { items } of volumes) {
      const volume = items.find(({ tags = [] }) =>
        tags.some(({ key, value }) => key === tag.key && value === tag.value),
      );
      if (volume) return volume;
    }
  }
  return undefined;
}

function found(created: Volume): StepDone & { created: Volume } {
  const { id, volumeNativeId = id, awsAz } = created;
  const where = awsAz ? ` in ${safe(awsAz, 30)}` : '';
  const words = `New volume: ${code(volumeNativeId, 60)}${where}. The volume isn't attached to an instance.`;
  return { state: 'done', words, createdId: id, created };
}

function readDuration({ createdTimestamp, endTimestamp }: Task): number | undefined {
  const [from, to] = [parseTimestamp(createdTimestamp), parseTimestamp(endTimestamp)];
  return from && to && Math.max(0, to.getTime() - from.getTime());
}

function isRecentlyEnded({ endTimestamp }: Task, now: Date): boolean {
  const endedAt = parseTimestamp(endTimestamp);
  return endedAt !== undefined && isRecent(endedAt, now, inventoryMs);
}

/** A task doesn't say why it failed. The alert about its volume may. */
async function readReason({ client, volumeId, sent, signal }: Look): Promise<string> {
  const updatedSince = subMilliseconds(sent.at, maxSkewMs);
  const filter = { types: ['restore_failed'], updatedSince };
  try {
    for await (const { items } of listNewestAlerts(client, { filter, signal })) {
      const alert = items.find(({ primaryEntity }) => primaryEntity?.id === volumeId);
      if (!alert) continue;
      const { cause, description } = alert.details ?? {};
      const said = [cause ?? alert.cause, description].filter(Boolean).join(': ');
      return said ? ` The service said: ${quoteInline(said, 300)}.` : '';
    }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
  }
  return " The service doesn't say why.";
}
