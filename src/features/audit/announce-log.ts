import type { Clock } from '../../clock.ts';
import { subDays } from '../../dates.ts';
import type { Logger } from '../../logger.ts';
import { postMessage } from '../../slack/api/post.ts';
import type { SlackClients } from '../../slack/api/slack-clients.ts';
import type { AuditStore } from './store/audit-store.ts';
import { checkpointMessage } from './views/checkpoint-messages.ts';

/**
 * Posts a checkpoint of the audit log in each approvals channel: at most once a day, and only when
 * the log has grown. The message proves where the log ended to anyone who doubts the database.
 * Replicas may call this at the same time; one of them posts.
 */
export function createLogAnnouncer(dependencies: {
  store: Pick<AuditStore, 'findUnannounced' | 'claimAnnouncement'>;
  readSettings: (teamId: string) => Promise<{ approvalsChannelId: string | undefined }>;
  clients: SlackClients;
  clock: Clock;
  log: Logger;
}): () => Promise<void> {
  const { store, readSettings, clients, clock, log } = dependencies;

  async function announce(teamId: string, due: { now: Date; before: Date }): Promise<void> {
    const { approvalsChannelId } = await readSettings(teamId);
    if (!approvalsChannelId) return;
    const slack = await clients.clientFor(teamId);
    // Claimed before posting: a lost message is replaced tomorrow, a second one would be noise.
    const end = await store.claimAnnouncement(teamId, due);
    if (end) await postMessage(slack, approvalsChannelId, checkpointMessage(end));
  }

  return async () => {
    const now = clock();
    const due = { now, before: subDays(now, 1) };
    for (const teamId of await store.findUnannounced(due)) {
      // A team whose channel is gone must not keep the others from theirs.
      await announce(teamId, due).catch((error: unknown) =>
        log.error({ teamId, err: error }, 'a checkpoint could not be posted'),
      );
    }
  };
}
