import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Clock, isRecent } from '../../clock.ts';
import { addMilliseconds } from '../../dates.ts';
import type { Logger } from '../../logger.ts';
import { retryAfterMs } from '../../slack/api/error-codes.ts';
import type { SlackClient } from '../../slack/api/slack-client.ts';
import { listGroupMembers } from '../../slack/api/user-groups.ts';
import type { GroupRef, GroupStore, StoredGroup } from './store/group-store.ts';

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

type Members = ReadonlySet<string>;

/** The members of each group; undefined where Slack didn't return them, and nothing recent is known. */
export type GroupMembers = ReadonlyMap<string, Members | undefined>;

export type GroupDirectory = {
  read: (slack: SlackClient, groupIds: readonly string[]) => Promise<GroupMembers>;
};

/**
 * Who is in which user group, at most 60 s old. Slack allows about 20 calls a minute and workspace, so
 * replicas share the result, and only one of them calls Slack for a group.
 */
export function createGroupDirectory({
  store,
  clock,
  log,
}: {
  store: GroupStore;
  clock: Clock;
  log: Logger;
}): GroupDirectory {
  const underWay = new Map<string, Promise<Members | undefined>>();

  /** Undefined if they are too old, or were never read. */
  function currentMembers({ members, readAt }: StoredGroup): Members | undefined {
    return readAt && isRecent(readAt, clock(), maxAgeMs) ? new Set(members) : undefined;
  }

  function readOnce(slack: SlackClient, groupId: string): Promise<Members | undefined> {
    const key = `${slack.teamId} ${groupId}`;
    const reading =
      underWay.get(key) ?? readNow(slack, groupId).finally(() => underWay.delete(key));
    underWay.set(key, reading);
    return reading;
  }

  async function readNow(slack: SlackClient, groupId: string): Promise<Members | undefined> {
    const ref = { teamId: slack.teamId, groupId };
    const holder = randomUUID();
    const at = clock();
    const until = addMilliseconds(at, leaseMs);
    const staleAt = addMilliseconds(at, -maxAgeMs);
    // Later than any wait that began before now.
    const latest = addMilliseconds(at, 2 * maxRetryMs);
    const isLeased = await store.lease(ref, { holder, at, until, staleAt, latest });
    if (!isLeased) return waitForOther(ref);
    try {
      const members = await listGroupMembers(slack, groupId);
      await store.save(ref, { holder, members, readAt: at });
      return new Set(members);
    } catch (error) {
      log.warn({ ...ref, err: error }, 'the members of a user group could not be read');
      const waitMs = Math.min(retryAfterMs(error) ?? retryMs, maxRetryMs);
      await store.postpone(ref, { holder, until: addMilliseconds(clock(), waitMs) });
      return undefined;
    }
  }

  /** The result of another process's call; undefined if it times out or fails. */
  async function waitForOther(ref: GroupRef): Promise<Members | undefined> {
    for (let polls = 0; polls < maxPolls; polls += 1) {
      const [stored] = await store.read(ref.teamId, [ref.groupId]);
      const members = stored && currentMembers(stored);
      if (members || !stored?.isBeingRead) return members;
      await sleep(pollMs);
    }
    return undefined;
  }

  return {
    async read(slack, groupIds) {
      const ids = [...new Set(groupIds)];
      const stored = await store.read(slack.teamId, ids);
      const known = new Map(stored.map((one) => [one.groupId, currentMembers(one)]));
      const found = ids.map(async (id): Promise<[string, Members | undefined]> => {
        return [id, known.get(id) ?? (await readOnce(slack, id))];
      });
      return new Map(await Promise.all(found));
    },
  };
}
