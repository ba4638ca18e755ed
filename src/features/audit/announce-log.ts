import { subDays } from 'date-fns/subDays';
import type { Clock } from '../../clock.ts';
import { postMessage } from '../../slack/api/post.ts';
import type { SlackClient } from '../../slack/api/slack-client.ts';
import type { AuditStore } from './audit-store.ts';
import { checkpointMessage } from './views/checkpoint-message.ts';

/**
 * Tells each approvals channel where the log ends: at most once a day, and only when the log has
 * moved. Slack keeps the message out of reach of whoever has the database. Replicas may call this at
 * the same time; one of them posts.
 */
export function createLogAnnouncer(dependencies: {
  store: Pick<AuditStore, 'findUnannounced' | 'claimAnnouncement'>;
  readSettings: (teamId: string) => Promise<{ approvalsChannelId: string | undefined }>;
  slack: SlackClient;
  clock: Clock;
}): () => Promise<void> {
  const { store, readSettings, slack, clock } = dependencies;

  return async () => {
    const now = clock();
    const due = { now, before: subDays(now, 1) };
    for (const teamId of await store.findUnannounced(due)) {
      const { approvalsChannelId } = await readSettings(teamId);
      if (!approvalsChannelId) continue;
      // Claimed first: a message that is lost is made up for tomorrow, two would be noise.
      const end = await store.claimAnnouncement(teamId, due);
      if (end) await postMessage(slack, approvalsChannelId, checkpointMessage(end));
    }
  };
}
