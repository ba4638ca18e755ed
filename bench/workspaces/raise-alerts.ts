import { addSeconds } from 'date-fns/addSeconds';
import { waitFor } from '../replicas/wait-for.ts';
import { makeAlerts } from '../storm/make-alerts.ts';
import type { ManyWorkspaces } from './open-workspaces.ts';
import { endPolls } from './run-due.ts';

const quietMs = 240_000;
/** Longer than between two updates of a summary. */
const soonSeconds = 20;

/** Raises alerts within a second; the watches of all workspaces see them. Resolves to their number. */
export async function raiseAlerts({ service, portal }: ManyWorkspaces, count: number) {
  const made = await makeAlerts(service, {
    portalId: portal.id,
    perMinute: count * 60,
    forMs: 1000,
  });
  return made.size;
}

/** Raises these alerts again, as the service does when a backup fails once more. */
export function changeAlerts({ service, portal }: ManyWorkspaces): void {
  const now = new Date().toISOString();
  for (const alert of service.alerts(portal.id)) {
    if (!alert.primary_entity?.value.startsWith('storm-vm-')) continue;
    service.putAlert(portal.id, {
      ...alert,
      raised_count: (alert.raised_count ?? 0) + 1,
      raised_timestamp: now,
      updated_timestamp: now,
    });
  }
}

/**
 * The first `count` workspaces are polled; resolves when nothing waits to be posted. Later, each
 * summary is only closed.
 */
export async function pollAndPost(many: ManyWorkspaces, count: number): Promise<void> {
  const { db, workspaces } = many;
  const dueAt = new Date();
  const teamIds = workspaces.slice(0, count).map(({ teamId }) => teamId);
  const ofTeams = db
    .updateTable('alert_poll')
    .set({ next_poll_at: dueAt })
    .where('team_id', 'in', teamIds);
  await ofTeams.execute();
  await waitFor(
    async () => {
      const waiting = await db
        .selectFrom('alert_poll')
        .select('connection_id')
        .where('next_poll_at', '<=', dueAt)
        .execute();
      return waiting.length === 0;
    },
    { forMs: quietMs },
  );
  await endPolls(many);
  const isQuiet = await waitFor(
    async () => {
      const waiting = await db
        .selectFrom('delivery_channel')
        .select('channel_id')
        .where('due_at', '<', addSeconds(new Date(), soonSeconds))
        .limit(1)
        .execute();
      return waiting.length === 0;
    },
    { forMs: quietMs, everyMs: 500 },
  );
  if (!isQuiet) throw new Error('messages still wait to be posted');
}
