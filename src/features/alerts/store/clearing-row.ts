import type { Selectable } from 'kysely';
import { z } from 'zod';
import { alertSearchSchema } from '../alert-search.ts';
import type { Clearing } from '../clearing/clearing.ts';
import type { AlertTables } from './tables.ts';

/** Of what was confirmed. */
const confirmed = z.object({
  search: alertSearchSchema,
  confirmed_at: z.date(),
  channel_id: z.string(),
});

/** @throws {z.ZodError} */
export function toClearing(row: Selectable<AlertTables['alert_clearing']>): Clearing {
  const { search, confirmed_at: confirmedAt, channel_id: channelId } = confirmed.parse(row);
  return {
    id: row.id,
    teamId: row.team_id,
    connectionId: row.connection_id,
    originId: row.connection_origin_id,
    search,
    createdBy: row.created_by,
    confirmedAt,
    channelId,
    note: row.note ?? undefined,
    postedAt: row.posted_at ?? undefined,
  };
}
