import { randomUUID } from 'node:crypto';
import { subDays } from 'date-fns/subDays';
import { batchesOf } from '../../src/database/batches.ts';
import type { Database } from '../../src/database/tables.ts';
import { defaultSearch } from '../../src/features/alerts/index.ts';

/** Where a digest is posted. */
export type DigestPlace = { teamId: string; channelId: string };

/** Channels of as many workspaces, or of one. */
export function digestPlaces(count: number, teamId?: string): DigestPlace[] {
  return Array.from({ length: count }, (_, index) => ({
    teamId: teamId ?? `T${count}N${index}`,
    channelId: `C${count}N${index}`,
  }));
}

/** Inserts a digest at each place, and a connection for each workspace. */
export async function insertWorkspaces(
  db: Database,
  {
    places,
    dueAt,
    seal = () => 'sealed',
  }: {
    places: DigestPlace[];
    dueAt: Date;
    /** The token of a connection; by default one that can't be opened. */
    seal?: (place: { teamId: string; connectionId: string }) => string;
  },
) {
  const connections = new Map(places.map((one) => [one.teamId, randomUUID()]));
  for (const batch of batchesOf([...connections])) {
    await db
      .insertInto('connection')
      .values(
        batch.map(([teamId, connectionId]) => ({
          id: connectionId,
          origin_id: connectionId,
          team_id: teamId,
          region_id: 'eu',
          token_sealed: seal({ teamId, connectionId }),
          saved_by: 'U1',
          saved_at: dueAt,
        })),
      )
      .execute();
  }
  for (const batch of batchesOf(places)) {
    await db
      .insertInto('digest')
      .values(
        batch.map(({ teamId, channelId }) => ({
          id: randomUUID(),
          team_id: teamId,
          channel_id: channelId,
          created_by: 'U1',
          time: '09:00',
          weekdays: '[1,2,3,4,5,6,7]',
          time_zone: 'Etc/UTC',
          parts: JSON.stringify(['new', 'open', 'cleared', 'compliance', 'approvals', 'token']),
          search: JSON.stringify(defaultSearch),
          when_empty: 'heartbeat' as const,
          source_view_id: `V${channelId}`,
          created_at: dueAt,
          next_run_at: dueAt,
          covered_until: subDays(dueAt, 1),
        })),
      )
      .execute();
  }
  const channels = places.map(({ channelId }) => ({ channelId, name: channelId.toLowerCase() }));
  return { connections, channels };
}
