import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Clock, isRecent } from '../../clock.ts';
import { addMilliseconds } from '../../dates.ts';
import type { Logger } from '../../logger.ts';
import { retryAfterMs } from '../../slack/api/error-codes.ts';
import type { SlackClient } from '../../slack/api/slack-client.ts';
import { listGroupMembers } from '../../slack/api/user-groups.ts';
import type { GroupStore, StoredGroup } from './store/group-store.ts';

/** How old members may be that a right rests on. */
export const maxAgeMs = 60_000;
/** Longer than a call to Slack takes. */
const leaseMs = 20_000;
/** After an error of Slack: if it doesn't say when to ask again, and the most that it may say. */
const retryMs = 5000;
const maxRetryMs = 60_000;
/** How often, and for how long, to look whether another process has read a group. */
const pollMs = 250;
const maxPolls = 20;

/** The members of each group; undefined where Slack didn't return them, and nothing recent is known. */
export type GroupMembers = ReadonlyMap<string, ReadonlySet<string> | undefined>;

export type GroupDirectory = {
  read: (slack: SlackClient, groupIds: readonly string[]) => Promise<GroupMembers>;
};

type Dependencies = { store: GroupStore; clock: Clock; log: Logger };
type Read = { members: ReadonlySet<string>; readAt: number };

/**
 * Who is in which user group, at most 60 s old. Slack allows about 20 calls a minute and workspace, so
 * replicas share the result, and only one of them calls Slack for a group.
 */
export function createGroupDirectory(dependencies: Dependencies): GroupDirectory {
  const { store, clock } = dependencies;
  const underWay = new Map<string, Promise<Read | undefined>>();
  const isCurrent = ({ readAt }: Read) => isRecent(readAt, clock(), maxAgeMs);

  function readOnce(slack: SlackClient, groupId: string): Promise<Read | undefined> {
    const key = `${slack.teamId} ${groupId}`;
    const reading =
      underWay.get(key) ??
      readNow(slack, groupId, isCurrent, dependencies).finally(() => underWay.delete(key));
    underWay.set(key, reading);
    return reading;
  }

  return {
    async read(slack, groupIds) {
      const found = new Map<string, ReadonlySet<string> | undefined>();
      const ids = [...new Set(groupIds)];
      for (const stored of await store.read(slack.teamId, ids)) {
        const read = toRead(stored);
        if (read && isCurrent(read)) found.set(stored.groupId, read.members);
      }
      const unread = ids.filter((groupId) => !found.has(groupId));
      await Promise.all(
        unread.map(async (groupId) => {
          found.set(groupId, (await readOnce(slack, groupId))?.members);
        }),
      );
      return found;
    },
  };
}

async function readNow(
  slack: SlackClient,
  groupId: string,
  isCurrent: (read: Read) => boolean,
  { store, clock, log }: Dependencies,
): Promise<Read | undefined> {
  const ref = { teamId: slack.teamId, groupId };
  const holder = randomUUID();
  const at = clock();
  const until = addMilliseconds(at, leaseMs);
  const staleAt = addMilliseconds(at, -maxAgeMs);
  // Later than any wait that began before now.
  const latest = addMilliseconds(at, 2 * maxRetryMs);
  const isLeased = await store.lease(ref, { holder, at, until, staleAt, latest });
  if (!isLeased) return waitForOther(ref, isCurrent, store);
  try {
    const members = await listGroupMembers(slack, groupId);
    await store.save(ref, { holder, members, readAt: at });
    return { members: new Set(members), readAt: at.getTime() };
  } catch (error) {
    log.warn({ ...ref, err: error }, 'the members of a user group could not be read');
    const waitMs = Math.min(retryAfterMs(error) ?? retryMs, maxRetryMs);
    const again = addMilliseconds(clock(), waitMs);
    await store.postpone(ref, { holder, until: again });
    return undefined;
  }
}

/** The result of another process's call; undefined if it times out or fails. */
async function waitForOther(
  { teamId, groupId }: { teamId: string; groupId: string },
  isCurrent: (read: Read) => boolean,
  store: GroupStore,
): Promise<Read | undefined> {
  for (let polls = 0; polls < maxPolls; polls += 1) {
    const [stored] = await store.read(teamId, [groupId]);
    const read = stored && toRead(stored);
    if (read && isCurrent(read)) return read;
    if (!stored?.isBeingRead) return undefined;
    await sleep(pollMs);
  }
  return undefined;
}

function toRead({ members, readAt }: StoredGroup): Read | undefined {
  return readAt && { members: new Set(members), readAt: readAt.getTime() };
}
