import { sql, type Transaction } from 'kysely';
import type { Tables } from '../../database/tables.ts';
import type { MergeReplies } from '../merge-replies.ts';
import type { Destination, Outgoing } from '../message.ts';
import { storableJson } from './rows.ts';

type Message = Outgoing['message'];
type Reply = { replyTo: number; message: Message };

/**
 * Queues what goes beneath messages: one reply waits for each, however often it changes, beside one
 * that is being sent.
 */
export async function queueReplies(
  trx: Transaction<Tables>,
  to: Destination,
  {
    replies,
    mergeReplies,
    isServed,
    firstPlace,
    at,
  }: {
    replies: Reply[];
    mergeReplies: MergeReplies;
    isServed: boolean;
    firstPlace: number;
    at: Date;
  },
): Promise<void> {
  if (replies.length === 0) return;
  const news = new Map<number, Message>();
  for (const { replyTo, message } of replies) {
    const before = news.get(replyTo);
    news.set(replyTo, before ? mergeReplies(before, message) : message);
  }
  const waiting = await findLastWaiting(trx, [...news.keys()], { isServed });
  const merged = [...news].flatMap(([replyTo, message]) => {
    const reply = waiting.get(replyTo);
    return reply ? [{ id: reply.id, message: mergeReplies(reply.message, message) }] : [];
  });
  await replaceReplies(trx, merged);
  const fresh = [...news].filter(([replyTo]) => !waiting.has(replyTo));
  await insertReplies(trx, to, {
    replies: fresh.map(([replyTo, message]) => ({ replyTo, message })),
    ...{ firstPlace, at },
  });
}

/** The last reply that waits beneath each of these and that nobody is sending at this moment. */
async function findLastWaiting(
  trx: Transaction<Tables>,
  messages: number[],
  { isServed }: { isServed: boolean },
): Promise<Map<number, { id: number; message: Message }>> {
  const { rows } = await sql<{ reply_to: number; id: number; message: Message; before: number }>`
    select distinct on (m.reply_to) m.reply_to, m.id, m.message,
      row_number() over (partition by m.reply_to order by m.position) - 1 as before
    from delivery_message m
    where m.state = 'waiting'
      and m.reply_to in (select jsonb_array_elements(${JSON.stringify(messages)}::jsonb)::bigint)
    order by m.reply_to, m.position desc
  `.execute(trx);
  // What is sent beneath a message is the first that waits there.
  const free = rows.filter(({ before }) => !isServed || before > 0);
  return new Map(free.map(({ reply_to, id, message }) => [reply_to, { id, message }]));
}

/**
 * They keep their places, and what they follow comes there too if it was to come later: otherwise
 * what changes faster than the queue moves would never be heard of.
 */
async function replaceReplies(
  trx: Transaction<Tables>,
  merged: { id: number; message: Message }[],
): Promise<void> {
  if (merged.length === 0) return;
  await sql`
    update delivery_message m set message = x.message, version = m.version + 1
    from jsonb_to_recordset(${storableJson(merged)}::jsonb) as x(id bigint, message jsonb)
    where m.id = x.id
  `.execute(trx);
  await sql`
    update delivery_message parent set position = m.position
    from delivery_message m, jsonb_array_elements(${JSON.stringify(merged.map(({ id }) => id))}::jsonb) x
    where m.id = x.value::bigint and parent.id = m.reply_to and parent.state = 'waiting'
      and parent.position > m.position
  `.execute(trx);
}

async function insertReplies(
  trx: Transaction<Tables>,
  { teamId, channelId, ownerSlackUserId }: Destination,
  {
    replies,
    firstPlace,
    at,
  }: {
    replies: { replyTo: number; message: Outgoing['message'] }[];
    firstPlace: number;
    at: Date;
  },
): Promise<void> {
  if (replies.length === 0) return;
  const values = replies.map(({ replyTo, message }, index) => ({
    reply_to: replyTo,
    message,
    position: firstPlace + index,
  }));
  await sql`
    insert into delivery_message
      (team_id, channel_id, owner_slack_user_id, reply_to, message, position, queued_at)
    select ${teamId}, ${channelId}, ${ownerSlackUserId}, x.reply_to, x.message, x.position,
      ${at}::timestamptz
    from jsonb_to_recordset(${storableJson(values)}::jsonb)
      as x(reply_to bigint, message jsonb, position bigint)
  `.execute(trx);
}
