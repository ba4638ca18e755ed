import { createHash } from 'node:crypto';
import { sql, type Transaction } from 'kysely';
import { storable } from '../../database/canonical-text.ts';
import type { Tables } from '../../database/tables.ts';
import type { Destination, Outgoing } from '../message.ts';

export type Placed = Outgoing & { position: number };

/** Subjects hold ids of the service, which may be longer than an index takes. */
const maxKeyLength = 300;

/** A subject as the database has it. */
export function subjectKey(subject: string): string {
  const key = storable(subject);
  if (key === subject && key.length <= maxKeyLength) return key;
  const digest = createHash('sha256').update(JSON.stringify(subject)).digest('base64url');
  return `${key.slice(0, 200)}#${digest}`;
}

/** Key → id of the rows that there are. */
export async function findSubjects(
  trx: Transaction<Tables>,
  { teamId, channelId }: Destination,
  keys: string[],
): Promise<Map<string, number>> {
  const { rows } = await sql<{ subject: string; id: number }>`
    select m.subject, m.id from delivery_message m
    where m.team_id = ${teamId} and m.channel_id = ${channelId}
      and m.subject in (select jsonb_array_elements_text(${JSON.stringify(keys)}::jsonb))
  `.execute(trx);
  return new Map(rows.map(({ subject, id }) => [subject, id]));
}

/** How many messages of these groups wait to be posted for the first time. */
export async function countWaiting(
  trx: Transaction<Tables>,
  { teamId, channelId }: Destination,
  groups: string[],
): Promise<Map<string, number>> {
  const rows = await trx
    .selectFrom('delivery_message')
    .select(({ fn }) => ['group_key', fn.countAll<number>().as('count')])
    .where('team_id', '=', teamId)
    .where('channel_id', '=', channelId)
    .where('state', '=', 'waiting')
    .where('message_ts', 'is', null)
    .where('group_key', 'in', groups)
    .groupBy('group_key')
    .execute();
  return new Map(rows.map(({ group_key, count }) => [group_key ?? '', count]));
}

/** What waits keeps its place and its age; what was posted, or given up, waits anew. */
export async function replaceMessages(
  trx: Transaction<Tables>,
  { ownerSlackUserId }: Destination,
  { known, placed, at }: { known: Map<string, number>; placed: Placed[]; at: Date },
): Promise<void> {
  if (placed.length === 0) return;
  const rows = placed.map(({ subject, message, position }) => ({
    id: known.get(subjectKey(subject)),
    message,
    position,
  }));
  await sql`
    update delivery_message m set
      message = x.message,
      version = m.version + 1,
      owner_slack_user_id = ${ownerSlackUserId},
      state = 'waiting',
      position = case when m.state = 'waiting' then m.position else x.position end,
      queued_at = case when m.state = 'waiting' then m.queued_at else ${at}::timestamptz end
    from jsonb_to_recordset(${storableJson(rows)}::jsonb)
      as x(id bigint, message jsonb, position bigint)
    where m.id = x.id
  `.execute(trx);
}

/** Returns the ids of the new rows by their keys. */
export async function insertMessages(
  trx: Transaction<Tables>,
  { teamId, channelId, ownerSlackUserId }: Destination,
  posts: Placed[],
  at: Date,
): Promise<Map<string, number>> {
  if (posts.length === 0) return new Map();
  const values = posts.map(({ subject, group, message, position }) => ({
    subject: subjectKey(subject),
    group_key: group?.key,
    message,
    position,
  }));
  const { rows } = await sql<{ subject: string; id: number }>`
    insert into delivery_message
      (team_id, channel_id, owner_slack_user_id, subject, group_key, message, position, queued_at)
    select ${teamId}, ${channelId}, ${ownerSlackUserId}, x.subject, x.group_key, x.message, x.position,
      ${at}::timestamptz
    from jsonb_to_recordset(${storableJson(values)}::jsonb)
      as x(subject text, group_key text, message jsonb, position bigint)
    returning subject, id
  `.execute(trx);
  return new Map(rows.map(({ subject, id }) => [subject, id]));
}

/** JSON without what `jsonb` refuses. */
export function storableJson(value: unknown): string {
  return JSON.stringify(value, (_, one) => (typeof one === 'string' ? storable(one) : one));
}
