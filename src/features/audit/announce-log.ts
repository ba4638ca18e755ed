import type { Clock } from '../../clock.ts';
import { createDueWork, type DueWork } from '../../jobs/due-work.ts';
import type { Logger } from '../../logger.ts';
import { postMessage } from '../../slack/api/post.ts';
import type { SlackClients } from '../../slack/api/slack-clients.ts';
import type { AuditStore } from './store/audit-store.ts';
import { checkpointMessage } from './views/checkpoint-messages.ts';

/**
 * Posts a checkpoint of the audit log in each approvals channel: at most once a day, and only when
 * the log has grown. The message proves where the log ended to anyone who doubts the database.
 * Replicas may do this at the same time; one of them posts.
 */
export function createLogAnnouncer({
  store,
  clients,
  clock,
  log,
}: {
  store: Pick<AuditStore, 'findUnannounced' | 'claimAnnouncement'>;
  clients: SlackClients;
  clock: Clock;
  log: Logger;
}): DueWork {
  return createDueWork({
    find: () => store.findUnannounced(clock()),
    key: ({ teamId }) => teamId,
    async work({ teamId, channelId }) {
      const slack = await clients.clientFor(teamId);
      // Claimed before posting: a lost message is replaced tomorrow, a second one would be noise.
      const end = await store.claimAnnouncement(teamId, clock());
      if (end) await postMessage(slack, channelId, checkpointMessage(end));
    },
    onFailed: ({ teamId }, error) =>
      log.error({ teamId, err: error }, 'a checkpoint could not be posted'),
    limits: { limitMs: 30_000 },
  });
}
