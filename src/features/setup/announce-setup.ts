import { type Clock, isRecent } from '../../clock.ts';
import { newLease } from '../../database/leases.ts';
import { logUnreadable, unreadableRetryMs } from '../../database/parse-rows.ts';
import { addMilliseconds } from '../../dates.ts';
import { createDueWork, type DueWork } from '../../jobs/due-work.ts';
import type { Logger } from '../../logger.ts';
import { enqueueMessages } from '../../postings/outbox/enqueue.ts';
import { canPostInChannel, listMembers } from '../../slack/api/channel.ts';
import type { AdminDirectory } from '../../slack/api/list-admins.ts';
import { findMember, readPerson } from '../../slack/api/person.ts';
import type { SlackClient } from '../../slack/api/slack-client.ts';
import type { SlackClients } from '../../slack/api/slack-clients.ts';
import type { Access } from '../../workspace/access/access.ts';
import type { SavedChange } from '../../workspace/setup-change.ts';
import type { WorkspaceStore } from '../../workspace/store/workspace-store.ts';
import { announcementMessage } from './views/announcement-message.ts';

type AnnounceDependencies = {
  store: WorkspaceStore;
  clients: SlackClients;
  access: Pick<Access, 'listMembers'>;
  adminDirectory: AdminDirectory;
  clock: Clock;
  log: Logger;
};

type AudienceDependencies = AnnounceDependencies & { slack: SlackClient };

const retryMs = 30_000;
/** Looking up everybody in a large audience takes a minute. */
const leaseMs = 2 * 60_000;
/** After this, approvers are notified even if the admins still can't be listed. */
const adminsWithinMs = 15 * 60_000;

/**
 * Announces saved changes of the setup: in the approvals channels before and after, and in direct
 * messages to the approvers and admins who are in none of them. A change stays due until its messages
 * are in the outbox, so a failing Slack delays it at most. One process at a time looks up the audience.
 */
export function createSetupAnnouncer(dependencies: AnnounceDependencies): DueWork {
  const { store, clients, clock, log } = dependencies;

  async function announceAll(teamId: string): Promise<void> {
    const { parsed, unreadable } = await store.findUnannounced(teamId, clock());
    logUnreadable(log, unreadable);
    for (const { row } of unreadable) {
      const until = addMilliseconds(clock(), unreadableRetryMs);
      await store.postponeAnnouncement({ teamId, changeId: row.id }, until);
    }
    for (const saved of parsed) {
      const { change, savedBy } = saved;
      const ref = { teamId, changeId: change.changeId };
      try {
        const slack = await clients.clientFor(teamId);
        const { channels, people } = await findAudience(saved, { ...dependencies, slack });
        await store.announce(ref, async (trx) => {
          const subject = `setup:${change.changeId}`;
          const outgoing = [{ subject, message: announcementMessage(saved) }];
          // In one order, because each enqueued message locks its channel.
          for (const channelId of [...channels, ...people].sort()) {
            // The owner is notified of a lost channel, which an undeliverable direct message isn't.
            const owner = channels.has(channelId) ? savedBy : undefined;
            const to = { teamId, channelId, ownerSlackUserId: owner ?? channelId };
            await enqueueMessages(trx, to, outgoing, clock());
          }
        });
      } catch (error) {
        log.error({ teamId, err: error }, 'a setup change could not be announced yet');
        await store.postponeAnnouncement(ref, addMilliseconds(clock(), retryMs));
      }
    }
  }

  return createDueWork({
    find: () => store.listUnannounced(clock()),
    key: ({ teamId }) => teamId,
    work: ({ teamId }) =>
      store.whileAnnouncing(teamId, newLease(clock, leaseMs), () => announceAll(teamId)),
    onFailed: ({ teamId }, error) =>
      log.error({ teamId, err: error }, 'the setup changes of a workspace were not announced'),
    limits: { limitMs: leaseMs },
  });
}

/** Channels, and people for direct messages: Slack accepts a user id as a channel. */
async function findAudience(
  saved: SavedChange,
  dependencies: AudienceDependencies,
): Promise<{ channels: Set<string>; people: Set<string> }> {
  const { change, savedBy } = saved;
  const { before, after } = change;
  const named = [before.approvalsChannel, after.approvalsChannel].filter((id) => id !== undefined);
  const areUsable = await Promise.all(named.map((id) => canPostInChannel(dependencies.slack, id)));
  const channels = new Set(named.filter((_, index) => areUsable[index]));
  const admins = await listAdmins(saved, dependencies);
  const people = new Set([...(await listApprovers(saved, dependencies)), ...admins]);
  if (savedBy !== undefined) people.delete(savedBy);
  for (const channelId of channels) {
    for (const member of await readMembers(channelId, dependencies)) people.delete(member);
  }
  for (const slackUserId of people) {
    const isKnown = admins.includes(slackUserId);
    if (!isKnown && !(await isMember(slackUserId, saved, dependencies))) people.delete(slackUserId);
  }
  return { channels, people };
}

/** Approvers may have become guests, and groups may include guests. */
async function isMember(
  slackUserId: string,
  { savedAt, teamId }: SavedChange,
  { slack, clock, log }: AudienceDependencies,
): Promise<boolean> {
  try {
    return (await findMember(readPerson(slack, slackUserId))) !== undefined;
  } catch (error) {
    if (isRecent(savedAt, clock(), adminsWithinMs)) throw error;
    log.error({ teamId, err: error }, 'an approver was not notified of a setup change');
    return false;
  }
}

/** Nobody if Slack can't say: then people in the channel get a direct message as well. */
async function readMembers(
  channelId: string,
  { slack, log }: AudienceDependencies,
): Promise<string[]> {
  try {
    return await listMembers(slack, channelId);
  } catch (error) {
    log.warn({ channelId, err: error }, 'the members of an approvals channel could not be listed');
    return [];
  }
}

/** Only the first people of large groups, because each one costs a call to Slack. */
const maxNotified = 60;

async function listApprovers(
  { savedAt, teamId, change: { before, after } }: SavedChange,
  { slack, access, clock, log }: AudienceDependencies,
): Promise<string[]> {
  const named = [...before.approvers, ...after.approvers];
  const { people, unread } = await access.listMembers(slack, named);
  if (unread.length > 0 && isRecent(savedAt, clock(), adminsWithinMs)) {
    throw new Error("Slack didn't return the members of a group of approvers");
  }
  if (unread.length > 0 || people.length > maxNotified) {
    log.warn({ teamId }, 'some approvers may not be notified of a setup change');
  }
  return people.slice(0, maxNotified);
}

async function listAdmins(
  { savedAt, teamId }: SavedChange,
  { slack, adminDirectory, clock, log }: AudienceDependencies,
): Promise<string[]> {
  try {
    const { people, isComplete } = await adminDirectory.read(slack);
    if (!isComplete) log.warn({ teamId }, 'some admins may not be notified of a setup change');
    return people.map(({ slackUserId }) => slackUserId);
  } catch (error) {
    if (isRecent(savedAt, clock(), adminsWithinMs)) throw error;
    log.error({ teamId, err: error }, 'the admins were not notified of a setup change');
    return [];
  }
}
