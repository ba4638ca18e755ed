import { randomUUID } from 'node:crypto';
import type { Transaction } from 'kysely';
import { released } from '../../../database/leases.ts';
import type { Tables } from '../../../database/tables.ts';
import { originOfDigest } from '../../workspaces/index.ts';
import { type DigestSettings, firstPeriodStart } from '../digest.ts';
import { nextRun } from '../next-run.ts';
import { settingsColumns, toDigest } from './digest-row.ts';

type Trx = Transaction<Tables>;

/** A digest of a configuration; `owner` is a Slack user id. */
export type DigestItem = {
  channelId: string;
  originId: string;
  owner: string;
  settings: DigestSettings;
};

/** The digests that are set up in a workspace, paused ones included. */
export async function readConfiguredDigests(
  trx: Trx,
  teamId: string,
): Promise<(DigestItem & { id: string })[]> {
  const rows = await trx
    .selectFrom('digest')
    .selectAll()
    .select(originOfDigest.as('origin'))
    .where('team_id', '=', teamId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map((row) => {
    const { id, channelId, createdBy: owner, settings } = toDigest(row);
    return { id, channelId, owner, settings, originId: row.origin ?? '' };
  });
}

export async function addDigest(
  trx: Trx,
  {
    teamId,
    enterpriseId,
    at,
    ...item
  }: DigestItem & { teamId: string; enterpriseId: string | undefined; at: Date },
): Promise<void> {
  const id = randomUUID();
  await trx
    .insertInto('digest')
    .values({
      id,
      team_id: teamId,
      enterprise_id: enterpriseId ?? null,
      connection_origin_id: item.originId,
      channel_id: item.channelId,
      ...settingsColumns(item.settings),
      created_by: item.owner,
      created_at: at,
      source_view_id: `configuration:${id}`,
      next_run_at: nextRun(item.settings, at),
      covered_until: firstPeriodStart(at),
    })
    .execute();
}

type Ref = { teamId: string; id: string };

/** A digest that is due runs immediately with the new settings, as after a change in Slack. */
export async function changeDigest(
  trx: Trx,
  { teamId, id, by, at, owner, settings }: Ref & DigestItem & { by: string; at: Date },
): Promise<void> {
  const row = await trx
    .selectFrom('digest')
    .selectAll()
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow();
  const { dueAt } = toDigest(row);
  const isDue = dueAt <= at && row.paused_at === null;
  await trx
    .updateTable('digest')
    .set((eb) => ({
      ...settingsColumns(settings),
      created_by: owner,
      changed_by: by,
      changed_at: at,
      next_run_at: isDue ? at : nextRun(settings, at),
      postponed_from: isDue ? dueAt : null,
      version: eb('version', '+', 1),
      ...released,
      attempts: 0,
    }))
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .execute();
}

export async function endDigest(trx: Trx, { teamId, id }: Ref): Promise<void> {
  await trx.deleteFrom('digest').where('team_id', '=', teamId).where('id', '=', id).execute();
}
