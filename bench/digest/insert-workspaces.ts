import { randomUUID } from 'node:crypto';
import { subDays } from 'date-fns/subDays';
import type { Database } from '../../src/database/open-database.ts';

/** Inserts workspaces with a connection and a digest each. */
export async function insertWorkspaces(
  db: Database,
  { count, dueAt }: { count: number; dueAt: Date },
) {
  const teams = Array.from({ length: count }, (_, index) => ({
    teamId: `T${count}N${index}`,
    channelId: `C${count}N${index}`,
    connectionId: randomUUID(),
  }));
  await db
    .insertInto('connection')
    .values(
      teams.map(({ teamId, connectionId }) => ({
        ...{ id: connectionId, origin_id: connectionId, team_id: teamId, region_id: 'eu' },
        token_sealed: 'sealed',
        ...{ saved_by: 'U1', saved_at: dueAt },
      })),
    )
    .execute();
  await db
    .insertInto('digest')
    .values(
      teams.map(({ teamId, channelId }) => ({
        ...{ id: randomUUID(), team_id: teamId, channel_id: channelId, created_by: 'U1' },
        ...{ time: '09:00', weekdays: '[1,2,3,4,5,6,7]', time_zone: 'Etc/UTC' },
        parts: JSON.stringify(['new', 'open', 'cleared', 'compliance', 'approvals', 'token']),
        ...{ when_empty: 'heartbeat' as const, source_view_id: 'V1', created_at: dueAt },
        ...{ next_run_at: dueAt, covered_until: subDays(dueAt, 1) },
      })),
    )
    .execute();
  const connections = new Map(teams.map(({ teamId, connectionId }) => [teamId, connectionId]));
  const channels = teams.map(({ channelId }) => ({ channelId, name: channelId.toLowerCase() }));
  return { connections, channels };
}
