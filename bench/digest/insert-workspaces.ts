import { randomUUID } from 'node:crypto';
import { subDays } from 'date-fns/subDays';
import type { Database } from '../../src/database/open-database.ts';

/** Inserts workspaces with a connection and a digest each, or one, `teamId`, with all the digests. */
export async function insertWorkspaces(
  db: Database,
  { count, dueAt, teamId }: { count: number; dueAt: Date; teamId?: string },
) {
  const digests = Array.from({ length: count }, (_, index) => ({
    teamId: teamId ?? `T${count}N${index}`,
    channelId: `C${count}N${index}`,
  }));
  const connections = new Map(digests.map((one) => [one.teamId, randomUUID()]));
  await db
    .insertInto('connection')
    .values(
      [...connections].map(([team, connectionId]) => ({
        ...{ id: connectionId, origin_id: connectionId, team_id: team, region_id: 'eu' },
        token_sealed: 'sealed',
        ...{ saved_by: 'U1', saved_at: dueAt },
      })),
    )
    .execute();
  await db
    .insertInto('digest')
    .values(
      digests.map(({ teamId: team, channelId }) => ({
        ...{ id: randomUUID(), team_id: team, channel_id: channelId, created_by: 'U1' },
        ...{ time: '09:00', weekdays: '[1,2,3,4,5,6,7]', time_zone: 'Etc/UTC' },
        parts: JSON.stringify(['new', 'open', 'cleared', 'compliance', 'approvals', 'token']),
        ...{ when_empty: 'heartbeat' as const, source_view_id: `V${channelId}`, created_at: dueAt },
        ...{ next_run_at: dueAt, covered_until: subDays(dueAt, 1) },
      })),
    )
    .execute();
  const channels = digests.map(({ channelId }) => ({ channelId, name: channelId.toLowerCase() }));
  return { connections, channels };
}
