import type { Clock } from '../../clock.ts';
import { createDueWork, type DueWork } from '../../jobs/due-work.ts';
import type { Logger } from '../../logger.ts';
import { enqueueMessages } from '../../postings/outbox/enqueue.ts';
import { canPostInChannel } from '../../slack/api/channel.ts';
import type { AdminDirectory } from '../../slack/api/list-admins.ts';
import { findMember, readPerson } from '../../slack/api/person.ts';
import type { SlackClient } from '../../slack/api/slack-client.ts';
import type { SlackClients } from '../../slack/api/slack-clients.ts';
import type { WorkspaceSettings } from '../../workspace/settings/document.ts';
import type { ExpiringToken, TokenExpiryStore } from '../../workspace/store/token-expiry.ts';
import { expiryMessage } from './views/expiry-message.ts';

/** How many days ahead Belay warns. */
const warnings = [1, 3, 7, 14];

/**
 * Warns before an API token expires, and once it has: in the approvals channel, or else the admin who
 * saved it, or all admins if that person has left. Each warning is sent once per token; a process that was
 * down sends only the nearest.
 */
export function createExpiryWarner({
  store,
  readSettings,
  clients,
  adminDirectory,
  clock,
  log,
}: {
  store: TokenExpiryStore;
  readSettings: (teamId: string) => Promise<Pick<WorkspaceSettings, 'approvalsChannel'>>;
  clients: SlackClients;
  adminDirectory: AdminDirectory;
  clock: Clock;
  log: Logger;
}): DueWork {
  async function warn(token: ExpiringToken): Promise<void> {
    const { teamId, connectionId, savedBy, expiresAt, dueDays } = token;
    const { approvalsChannel } = await readSettings(teamId);
    const slack = await clients.clientFor(teamId);
    const isReachable =
      approvalsChannel !== undefined && (await canPostInChannel(slack, approvalsChannel));
    const recipients = isReachable ? [approvalsChannel] : await findPeople(slack, savedBy);
    const subject = `token-expiry:${connectionId}:${+expiresAt}:${dueDays}`;
    const message = expiryMessage({ ...token, isExpired: dueDays === 0 });
    await store.claimWarning(token, async (trx) => {
      // In one order, because each enqueued message locks its channel.
      for (const channelId of recipients.toSorted()) {
        const to = { teamId, channelId, ownerSlackUserId: savedBy };
        await enqueueMessages(trx, to, [{ subject, message }], clock());
      }
    });
  }

  /** The admin who saved the token, or everyone who is an admin now if that person has left. */
  async function findPeople(slack: SlackClient, savedBy: string): Promise<string[]> {
    if (await findMember(readPerson(slack, savedBy))) return [savedBy];
    const { people } = await adminDirectory.read(slack);
    if (people.length === 0) throw new Error('no admin was found to warn of an expiring API token');
    return people.map(({ slackUserId }) => slackUserId);
  }

  return createDueWork({
    find: () => store.listDue({ now: clock(), warnings }),
    key: ({ connectionId }) => connectionId,
    work: warn,
    onFailed: ({ teamId }, error) =>
      log.error({ teamId, err: error }, "a token's expiry could not be reported"),
    limits: { limitMs: 60_000 },
  });
}
