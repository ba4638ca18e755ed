import type { Clock } from '../../clock.ts';
import { subDays } from '../../dates.ts';
import { workInTurn } from '../../jobs/work-in-turn.ts';
import type { Logger } from '../../logger.ts';
import { postMessage } from '../../slack/api/post.ts';
import type { SlackClients } from '../../slack/api/slack-clients.ts';
import type { AnnouncedIn, AuditStore } from './store/audit-store.ts';
import { checkpointMessage } from './views/checkpoint-messages.ts';

/**
 * Posts a checkpoint of the audit log in each approvals channel: at most once a day, and only when
 * the log has grown. The message proves where the log ended to anyone who doubts the database.
 * Replicas may call this at the same time; one of them posts.
 */
export function createLogAnnouncer(dependencies: {
  store: Pick<AuditStore, 'findUnannounced' | 'claimAnnouncement'>;
  clients: SlackClients;
  clock: Clock;
  log: Logger;
}): (stopping?: AbortSignal) => Promise<void> {
  const { store, clients, clock, log } = dependencies;
  return async (stopping) => {
    const now = clock();
    const due = { now, before: subDays(now, 1) };
    const announce = async ({ teamId, channelId }: AnnouncedIn) => {
      const slack = await clients.clientFor(teamId);
      // Claimed before posting: a lost message is replaced tomorrow, a second one would be noise.
      const end = await store.claimAnnouncement(teamId, due);
      if (end) await postMessage(slack, channelId, checkpointMessage(end));
    };
    await workInTurn(await store.findUnannounced(due), announce, {
      limitMs: 30_000,
      stopping,
      onFailed: ({ teamId }, error) =>
        log.error({ teamId, err: error }, 'a checkpoint could not be posted'),
    });
  };
}
