import { sql, type Transaction } from 'kysely';
import type { Tables } from '../../../database/tables.ts';
import { mergeReplies } from '../merge.ts';
import type { Destination, Outgoing } from '../message.ts';
import { insertMessages, replaceMessages, storedMessage } from './messages.ts';

type Message = Outgoing['message'];
type Reply = { replyTo: number; message: Message };

/**
 * Queues replies in threads. At most one reply waits for each message, however often that changes:
 * a further one is merged into it, unless it is being sent at this moment.
 */
export async function enqueueReplies(
  trx: Transaction<Tables>,
  to: Destination,
  {
    replies,
    isLeased,
    firstPosition,
    at,
  }: {
    replies: Reply[];
    /** Whether a process is sending something to this channel. */
    isLeased: boolean;
    firstPosition: number;
    at: Date;
  },
): Promise<void> {
  if (replies.length === 0) return;
  const merged = new Map<number, Message>();
  for (const { replyTo, message } of replies) {
    const before = merged.get(replyTo);
    merged.set(replyTo, before ? mergeReplies(before, message) : message);
  }
  const waiting = await findLastWaiting(trx, to, { messages: [...merged.keys()], isLeased });
  const replacements = [...merged].flatMap(([replyTo, message]) => {
    const reply = waiting.get(replyTo);
    return reply ? [{ id: reply.id, message: mergeReplies(reply.message, message) }] : [];
  });
  await replaceMessages(trx, to, replacements, at);
  await moveEdits(trx, to, replacements);
  const fresh = [...merged]
    .filter(([replyTo]) => !waiting.has(replyTo))
    .map(([replyTo, message], index) => ({ replyTo, message, position: firstPosition + index }));
  await insertMessages(trx, to, fresh, at);
}

/** The last waiting reply to each of these messages that is not being sent at this moment. */
async function findLastWaiting(
  trx: Transaction<Tables>,
  { teamId }: Destination,
  { messages, isLeased }: { messages: number[]; isLeased: boolean },
): Promise<Map<number, { id: number; message: Message }>> {
  const { rows } = await sql<{ reply_to: number; id: number; message: unknown; before: number }>`
    select distinct on (m.reply_to) m.reply_to, m.id, m.message,
      row_number() over (partition by m.reply_to order by m.position) - 1 as before
    from delivery_message m
    where m.team_id = ${teamId} and m.state = 'queued'
      and m.reply_to in (select jsonb_array_elements(${JSON.stringify(messages)}::jsonb)::bigint)
    order by m.reply_to, m.position desc
  `.execute(trx);
  // A process that holds the channel may be sending the first waiting reply, never a later one.
  const free = rows.filter(({ before }) => !isLeased || before > 0);
  return new Map(
    free.flatMap(({ reply_to, id, message }) => {
      const stored = storedMessage.safeParse(message).data;
      return stored ? [[reply_to, { id, message: stored }]] : [];
    }),
  );
}

/**
 * The waiting edit that a replaced reply follows moves up to its position: otherwise something that changes
 * faster than the queue moves would never be posted.
 */
async function moveEdits(
  trx: Transaction<Tables>,
  { teamId }: Destination,
  replacements: { id: number }[],
): Promise<void> {
  if (replacements.length === 0) return;
  await sql`
    update delivery_message parent set position = m.position
    from delivery_message m, jsonb_array_elements(${JSON.stringify(replacements.map(({ id }) => id))}::jsonb) x
    where m.team_id = ${teamId} and m.id = x.value::bigint and parent.id = m.reply_to and parent.state = 'queued'
      and parent.position > m.position
  `.execute(trx);
}
