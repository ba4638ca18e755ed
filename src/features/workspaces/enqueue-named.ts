import { enqueueMessages, type Outgoing } from '../../outbox/index.ts';
import { type AnswerConnection, answerOn } from '../../slack/ui/answer-connection.ts';
import type { EnqueueNamed } from '../../subscriptions/store.ts';
import { findAmong } from './choose-connection.ts';
import { connectionsInUse, toSummary } from './store/setup-row.ts';

/**
 * As `enqueueMessages`, for what is posted about a connection: in a workspace with several, messages
 * and summaries name theirs. Their buttons come back with the connection.
 */
export const enqueueNamed: EnqueueNamed = async (trx, { originId, ...to }, outgoing, at) => {
  if (outgoing.length === 0) return [];
  const inUse = (await connectionsInUse(trx, to.teamId)).map(toSummary);
  const connection = findAmong(inUse)(originId);
  const named = connection ? outgoing.map((one) => nameIn(one, connection)) : outgoing;
  return enqueueMessages(trx, to, named, at);
};

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
