import type { Transaction } from 'kysely';
import type { Tables } from '../../database/tables.ts';
import type { MessageRef } from '../../slack/api/post.ts';
import type { Message } from '../../slack/ui/blocks.ts';
import { chooseCounted, type GroupLoad } from './merge.ts';
import type { Destination, Outgoing, Queued } from './message.ts';
import { lockChannel } from './store/channels.ts';
import {
  countWaiting,
  findSubjects,
  insertMessages,
  insertPosted,
  replaceMessages,
  subjectKey,
} from './store/messages.ts';
import { enqueueReplies } from './store/replies.ts';
import { countInSummaries, findOverflows } from './store/summaries.ts';

export type EnqueueMessages = typeof enqueueMessages;

/**
 * Queues messages for one channel, in the transaction of the change that they report. Locks the
 * channel's row until that transaction ends, so that processes that queue for the same channel at
 * once count each message once. Needs a fixed number of statements, however many messages there are.
 */
export async function enqueueMessages(
  trx: Transaction<Tables>,
  to: Destination,
  outgoing: Outgoing[],
  at: Date,
): Promise<Queued[]> {
  if (outgoing.length === 0) return [];
  const latest = latestBySubject(outgoing);
  const replies = outgoing.filter(({ threadReply }) => threadReply).length;
  const positions = latest.length + replies + 1;
  const { firstPosition, isLeased } = await lockChannel(trx, to, { at, positions });
  const known = await findSubjects(trx, to, latest.map(keyOf));
  const positioned = latest
    .map((message, index) => ({ ...message, position: firstPosition + index }))
    .filter((message) => !message.onlyEdits || known.has(keyOf(message)));
  const replacements = positioned.flatMap(({ message, position, subject }) => {
    const id = known.get(subjectKey(subject));
    return id === undefined ? [] : [{ id, message, position }];
  });
  await replaceMessages(trx, to, replacements, at);

  const fresh = positioned.filter((message) => !known.has(keyOf(message)));
  const { counted, overflowed } = chooseCounted(fresh, await readGroupLoad(trx, to, fresh), at);
  const posts = fresh.filter((message) => !counted.has(message));
  for (const [key, id] of await insertMessages(trx, to, posts, at)) known.set(key, id);
  const position = firstPosition + latest.length;
  await countInSummaries(trx, to, { counted: [...counted], overflowed, position, at });

  await enqueueReplies(trx, to, {
    replies: outgoing.flatMap(({ subject, threadReply }) => {
      const replyTo = known.get(subjectKey(subject));
      return threadReply && replyTo !== undefined ? [{ replyTo, message: threadReply }] : [];
    }),
    isLeased,
    firstPosition: position + 1,
    at,
  });
  return positioned.map((message) => ({
    subject: message.subject,
    as: known.has(keyOf(message)) ? 'message' : 'summary',
  }));
}

/**
 * Queues a reply in the thread of a message that the outbox hasn't sent, in the transaction of the change
 * that it reports. `subject` is what that message is about; a reply to it that still waits is merged.
 */
export async function enqueueReply(
  trx: Transaction<Tables>,
  to: Destination,
  { subject, posted, message }: { subject: string; posted: MessageRef; message: Message },
  at: Date,
): Promise<void> {
  const { firstPosition, isLeased } = await lockChannel(trx, to, { at, positions: 2 });
  const key = subjectKey(subject);
  const known = (await findSubjects(trx, to, [key])).get(key);
  const replyTo = known ?? (await insertPosted(trx, to, { subject, posted, firstPosition, at }));
  const replies = [{ replyTo, message }];
  await enqueueReplies(trx, to, { replies, isLeased, firstPosition: firstPosition + 1, at });
}

async function readGroupLoad(
  trx: Transaction<Tables>,
  to: Destination,
  fresh: Outgoing[],
): Promise<GroupLoad> {
  const groups = [...new Set(fresh.flatMap(({ group }) => group?.key ?? []))];
  if (groups.length === 0) return { waiting: new Map(), overflowedAt: new Map() };
  return {
    overflowedAt: await findOverflows(trx, to, groups),
    waiting: await countWaiting(trx, to, groups),
  };
}

/** Of several messages about one subject the last one counts, at the position of the first. */
function latestBySubject(outgoing: Outgoing[]): Outgoing[] {
  return [...new Map(outgoing.map((message) => [message.subject, message])).values()];
}

function keyOf({ subject }: Outgoing): string {
  return subjectKey(subject);
}
