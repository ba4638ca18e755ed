import { createHash } from 'node:crypto';
import { sql, type Transaction } from 'kysely';
import { z } from 'zod';
import { storable } from '../../../database/canonical-text.ts';
import type { Tables } from '../../../database/tables.ts';
import type { MessageRef } from '../../../slack/api/post.ts';
import type { Message } from '../../../slack/ui/blocks.ts';
import { currentTraceparent } from '../../../tracing.ts';
import type { Destination, Outgoing } from '../message.ts';

/** The stored message, as far as Belay relies on it: Slack validates blocks when they are posted. */
export const storedMessage = z.custom<Message>(
  (value) => messageShape.safeParse(value).success,
  'not a stored message',
);

const messageShape = z.object({
  text: z.string(),
  blocks: z.array(z.looseObject({ type: z.string() })).optional(),
});

/** A message about a subject, or a reply to one. */
type NewMessage = Pick<Outgoing, 'message' | 'group'> & {
  subject?: string;
  replyTo?: number;
  position: number;
};

/** Subjects contain ids of the service, which may be longer than an index takes. */
const maxKeyLength = 300;

/** A subject as it is stored: without characters that PostgreSQL refuses, and hashed if long. */
export function subjectKey(subject: string): string {
  const key = storable(subject);
  if (key === subject && key.length <= maxKeyLength) return key;
  const digest = createHash('sha256').update(JSON.stringify(subject)).digest('base64url');
  return `${key.slice(0, 200)}#${digest}`;
}

/** The ids of existing messages by their keys. */
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
    .where('state', '=', 'queued')
    .where('message_ts', 'is', null)
    .where('group_key', 'in', groups)
    .groupBy('group_key')
    .execute();
  return new Map(rows.map(({ group_key, count }) => [group_key ?? '', count]));
}

/** A message that still waits keeps its position and time; one that was sent or dropped waits again. */
export async function replaceMessages(
  trx: Transaction<Tables>,
  { teamId, ownerSlackUserId }: Destination,
  rows: { id: number; message: Message; position?: number }[],
  at: Date,
): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    update delivery_message m set
      message = x.message,
      version = m.version + 1,
      traceparent = ${currentTraceparent() ?? null},
      owner_slack_user_id = ${ownerSlackUserId},
      state = 'queued',
      position = case when m.state = 'queued' then m.position else x.position end,
      queued_at = case when m.state = 'queued' then m.queued_at else ${at}::timestamptz end
    from jsonb_to_recordset(${storableJson(rows)}::jsonb)
      as x(id bigint, message jsonb, position bigint)
    where m.team_id = ${teamId} and m.id = x.id
  `.execute(trx);
}

/** Returns the ids of the new messages by their keys, without those of replies. */
export async function insertMessages(
  trx: Transaction<Tables>,
  { teamId, channelId, ownerSlackUserId }: Destination,
  messages: NewMessage[],
  at: Date,
): Promise<Map<string, number>> {
  if (messages.length === 0) return new Map();
  const values = messages.map(({ subject, group, replyTo, message, position }) => ({
    subject: subject && subjectKey(subject),
    group_key: group?.key,
    reply_to: replyTo,
    message,
    position,
  }));
  const { rows } = await sql<{ subject: string | null; id: number }>`
    insert into delivery_message
      (team_id, channel_id, owner_slack_user_id, subject, group_key, reply_to, message, position,
        queued_at, traceparent)
    select ${teamId}, ${channelId}, ${ownerSlackUserId}, x.subject, x.group_key, x.reply_to, x.message,
      x.position, ${at}::timestamptz, ${currentTraceparent() ?? null}
    from jsonb_to_recordset(${storableJson(values)}::jsonb)
      as x(subject text, group_key text, reply_to bigint, message jsonb, position bigint)
    returning subject, id
  `.execute(trx);
  return new Map(rows.flatMap(({ subject, id }) => (subject === null ? [] : [[subject, id]])));
}

/** Inserts a message that was posted by other means, so that its thread can get replies; its id. */
export async function insertPosted(
  trx: Transaction<Tables>,
  { teamId, channelId, ownerSlackUserId }: Destination,
  {
    subject,
    posted,
    firstPosition,
    at,
  }: { subject: string; posted: MessageRef; firstPosition: number; at: Date },
): Promise<number> {
  const { id } = await trx
    .insertInto('delivery_message')
    .values({
      team_id: teamId,
      channel_id: channelId,
      owner_slack_user_id: ownerSlackUserId,
      subject: subjectKey(subject),
      state: 'sent',
      position: firstPosition,
      queued_at: at,
      settled_at: at,
      posted_channel_id: posted.channelId,
      message_ts: posted.messageTs,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** JSON without the characters that `jsonb` refuses. */
function storableJson(value: unknown): string {
  return JSON.stringify(value, (_, text) => (typeof text === 'string' ? storable(text) : text));
}
