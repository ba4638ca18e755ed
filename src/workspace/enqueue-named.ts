import type { Transaction } from 'kysely';
import type { Tables } from '../database/tables.ts';
import { enqueueMessages } from '../postings/outbox/enqueue.ts';
import type { Destination, Outgoing, Queued } from '../postings/outbox/message.ts';
import { type AnswerConnection, answerOn } from '../slack/ui/answer-connection.ts';
import { findAmong } from './choose-connection.ts';
import { connectionsInUse, toSummary } from './store/setup-row.ts';

/** A channel, and the connection that the messages are about: the default one if undefined. */
export type NamedDestination = Destination & { originId: string | undefined };

export type EnqueueNamed = typeof enqueueNamed;

/**
 * As `enqueueMessages`, for what is posted about a connection: in a workspace with several, messages
 * and summaries name theirs. Their buttons come back with the connection.
 */
export async function enqueueNamed(
  trx: Transaction<Tables>,
  { originId, ...to }: NamedDestination,
  outgoing: Outgoing[],
  at: Date,
): Promise<Queued[]> {
  if (outgoing.length === 0) return [];
  const inUse = (await connectionsInUse(trx, to.teamId)).map(toSummary);
  const connection = findAmong(inUse)(originId);
  const named = connection ? outgoing.map((one) => nameIn(one, connection)) : outgoing;
  return enqueueMessages(trx, to, named, at);
}

/** A reply is in the thread of a message that names the connection. */
function nameIn(outgoing: Outgoing, connection: AnswerConnection): Outgoing {
  const { message, threadReply, group } = outgoing;
  return {
    ...outgoing,
    message: answerOn(message, connection),
    threadReply: threadReply && answerOn(threadReply, { ...connection, isNamed: false }),
    group: group && {
      ...group,
      title: [group.title, connection.name].filter(Boolean).join(' · '),
    },
  };
}
