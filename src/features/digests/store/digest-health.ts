import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { isUnleased } from '../../../database/leases.ts';
import type { ServedTeams } from '../../../database/served-teams.ts';
import type { Database } from '../../../database/tables.ts';
import { originOfDigest } from '../../workspaces/index.ts';
import type { DigestPart } from '../digest.ts';

const policiesPart: DigestPart = 'policies';

/** When the digest became due that has waited longest for a process, if one waits. */
export async function readOldestDueDigest(
  db: Database,
  at: Date,
  isServed: ServedTeams,
): Promise<Date | undefined> {
  const row = await db
    .selectFrom('digest')
    .select('next_run_at')
    .where('next_run_at', '<=', at)
    .where('paused_at', 'is', null)
    .where(isUnleased('lease_until', at))
    .where(isServed('digest.team_id'))
    .orderBy('next_run_at')
    .limit(1)
    .executeTakeFirst();
  return row?.next_run_at;
}

/** The digests of a channel that run, or that are paused for the same reason. */
type DigestChannel = {
  channelId: string;
  count: number;
  pausedReason: string | undefined;
  nextRunAt: Date;
};

/** The channels that have digests, those with most of them first. */
export async function listDigestChannels(db: Database, teamId: string): Promise<DigestChannel[]> {
  const rows = await db
    .selectFrom('digest')
    .select(({ fn }) => [
      ...(['channel_id', 'paused_reason'] as const),
      ...[fn.countAll<number>().as('count'), fn.min<Date>('next_run_at').as('next_run_at')],
    ])
    .where('team_id', '=', teamId)
    .groupBy(['channel_id', 'paused_reason'])
    .orderBy('count', 'desc')
    .execute();
  return rows.map((row) => ({
    channelId: row.channel_id,
    count: row.count,
    pausedReason: row.paused_reason ?? undefined,
    nextRunAt: row.next_run_at,
  }));
}

/** Whether a digest includes the policy changes of a connection, in a query that selects from `connection`. */
export const isReportingPolicies: RawBuilder<SqlBool> = sql<SqlBool>`exists (
  select 1 from digest
  where digest.team_id = connection.team_id and digest.paused_at is null
    and digest.parts @> ${JSON.stringify([policiesPart])}::jsonb
    and ${originOfDigest} = connection.origin_id)`;
