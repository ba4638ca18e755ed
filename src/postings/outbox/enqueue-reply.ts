import type { Transaction } from 'kysely';
import type { Tables } from '../../database/tables.ts';
import type { MessageRef } from '../../slack/api/post.ts';
import type { Message } from '../../slack/ui/blocks.ts';
import type { Destination } from './message.ts';
import { lockChannel } from './store/channels.ts';
import { findSubjects, insertPosted, subjectKey } from './store/messages.ts';
import { enqueueReplies } from './store/replies.ts';

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
