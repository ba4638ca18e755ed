import { randomUUID } from 'node:crypto';
import { sql, type Transaction } from 'kysely';
import { storable } from '../../../database/canonical-text.ts';
import type { Tables } from '../../../database/tables.ts';
import { type AlertSearch, alertSearchSchema } from '../../alerts/index.ts';
import type { Anchor } from '../watch.ts';
import { lockPoll } from './read-watches.ts';
import { anchorColumns, storeKnown } from './watch-row.ts';

type Trx = Transaction<Tables>;

/** What every kind of watch has in a configuration; `owner` is a Slack user id. */
type Placed = { channelId: string; originId: string; owner: string };
export type AlertWatchItem = Placed & { search: AlertSearch };
export type ComplianceWatchItem = Placed & {
  policy: { id: string; name: string };
  maxCount: number;
};
type PolicyWatchItem = Placed;
type Stored<Item> = Item & { id: string };

export type ConfiguredWatches = {
  alerts: Stored<AlertWatchItem>[];
  compliance: Stored<ComplianceWatchItem>[];
  policies: Stored<PolicyWatchItem>[];
};

/** The watches that are set up in a workspace, paused ones included. */
export async function readConfiguredWatches(trx: Trx, teamId: string): Promise<ConfiguredWatches> {
  const alerts = await trx
    .selectFrom('watch')
    .select(['id', 'channel_id', 'created_by', 'search', 'connection_origin_id'])
    .where('team_id', '=', teamId)
    .where('ended_at', 'is', null)
    .execute();
  const compliance = await trx
    .selectFrom('compliance_watch')
    .select(['id', 'channel_id', 'created_by', 'policy_id', 'policy_name', 'max_count'])
    .select('connection_origin_id')
    .where('team_id', '=', teamId)
    .execute();
  const policies = await trx
    .selectFrom('policy_watch')
    .select(['id', 'channel_id', 'created_by', 'connection_origin_id'])
    .where('team_id', '=', teamId)
    .execute();
  return {
    alerts: alerts.map((row) => ({ ...placed(row), search: alertSearchSchema.parse(row.search) })),
    compliance: compliance.map((row) => ({
      ...placed(row),
      policy: { id: row.policy_id, name: row.policy_name },
      maxCount: row.max_count,
    })),
    policies: policies.map(placed),
  };
}

function placed(row: {
  id: string;
  channel_id: string;
  created_by: string;
  connection_origin_id: string;
}): Stored<Placed> {
  return {
    id: row.id,
    channelId: row.channel_id,
    owner: row.created_by,
    originId: row.connection_origin_id,
  };
}

type NewAlertWatch = AlertWatchItem & {
  teamId: string;
  enterpriseId: string | undefined;
  /** The connection in use. */
  connectionId: string;
  anchor: Anchor;
  at: Date;
};

/** The watch posts alerts that are raised after the anchor was read. */
export async function addAlertWatch(
  trx: Trx,
  { teamId, enterpriseId, connectionId, anchor, at, ...item }: NewAlertWatch,
): Promise<void> {
  await lockPoll(trx, { teamId, connectionId, at });
  const id = randomUUID();
  await trx
    .insertInto('watch')
    .values({
      id,
      team_id: teamId,
      enterprise_id: enterpriseId ?? null,
      connection_id: connectionId,
      connection_origin_id: item.originId,
      channel_id: item.channelId,
      search: JSON.stringify(item.search),
      created_by: item.owner,
      created_at: at,
      ...anchorColumns(anchor),
    })
    .execute();
  await storeKnown(trx, id, anchor, at);
}

type Ref = { teamId: string; id: string };
type Ended = Ref & { by: string; at: Date };

export async function endAlertWatch(trx: Trx, { teamId, id, by, at }: Ended): Promise<void> {
  await trx
    .updateTable('watch')
    .set({ ended_at: at, ended_by: by })
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .execute();
  await trx.deleteFrom('watched_alert').where('watch_id', '=', id).execute();
}

export async function addComplianceWatch(
  trx: Trx,
  {
    teamId,
    enterpriseId,
    at,
    ...item
  }: ComplianceWatchItem & { teamId: string; enterpriseId: string | undefined; at: Date },
): Promise<void> {
  await trx
    .insertInto('compliance_watch')
    .values({
      id: randomUUID(),
      team_id: teamId,
      enterprise_id: enterpriseId ?? null,
      connection_origin_id: item.originId,
      channel_id: item.channelId,
      policy_id: item.policy.id,
      policy_name: storable(item.policy.name),
      max_count: item.maxCount,
      created_by: item.owner,
      created_at: at,
      next_read_at: at,
      is_above: false,
    })
    .execute();
}

/** A limit that the last count exceeds already is not reported again. */
export async function changeComplianceWatch(
  trx: Trx,
  { teamId, id, by, at, ...item }: Ended & ComplianceWatchItem,
): Promise<void> {
  await trx
    .updateTable('compliance_watch')
    .set({
      max_count: item.maxCount,
      policy_name: storable(item.policy.name),
      is_above: sql<boolean>`coalesce(last_count > ${item.maxCount}, false)`,
      created_by: item.owner,
      changed_by: by,
      changed_at: at,
    })
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .execute();
}

export async function addPolicyWatch(
  trx: Trx,
  { teamId, at, ...item }: PolicyWatchItem & { teamId: string; at: Date },
): Promise<void> {
  await trx
    .insertInto('policy_watch')
    .values({
      team_id: teamId,
      channel_id: item.channelId,
      connection_origin_id: item.originId,
      created_by: item.owner,
      created_at: at,
    })
    .execute();
}

type OtherTable = 'compliance_watch' | 'policy_watch';

export async function endOtherWatch(trx: Trx, table: OtherTable, { teamId, id }: Ref) {
  await trx.deleteFrom(table).where('team_id', '=', teamId).where('id', '=', id).execute();
}

/** Changes who may edit the watch and is notified if its channel is lost. */
export async function changeWatchOwner(
  trx: Trx,
  table: 'watch' | 'policy_watch',
  { teamId, id, owner }: Ref & { owner: string },
): Promise<void> {
  await trx
    .updateTable(table)
    .set({ created_by: owner })
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .execute();
}
