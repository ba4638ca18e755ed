import type { Transaction } from 'kysely';
import type { Tables } from '../database/tables.ts';
import type { ChooseCounted } from './choose-counted.ts';
import type { MergeReplies } from './merge-replies.ts';
import type { Destination, Outgoing, Queued } from './message.ts';
import { lockChannel } from './store/channel.ts';
import { readCrowding } from './store/crowding.ts';
import { queueReplies } from './store/replies.ts';
import {
  findSubjects,
  insertMessages,
  type Placed,
  replaceMessages,
  subjectKey,
} from './store/rows.ts';
import { countInSummaries } from './store/summaries.ts';

/** Queues messages in the transaction that makes true what they tell. */
export type EnqueueMessages = (
  trx: Transaction<Tables>,
  to: Destination,
  outgoing: Outgoing[],
  at: Date,
) => Promise<Queued[]>;

/**
 * The way into the outbox. It holds the channel's row until the transaction ends, so what several
 * processes queue for one channel comes one after the other, and what they count is counted once.
 * Its statements are a handful, however many messages there are.
 */
export function createEnqueueMessages({
  chooseCounted,
  mergeReplies,
}: {
  chooseCounted: ChooseCounted;
  mergeReplies: MergeReplies;
}): EnqueueMessages {
  return async (trx, to, outgoing, at) => {
    if (outgoing.length === 0) return [];
    const latest = latestOfEach(outgoing);
    const replies = outgoing.filter(({ threadReply }) => threadReply).length;
    const places = latest.length + replies + 1;
    const { firstPlace: first, isServed } = await lockChannel(trx, to, { at, places });
    const known = await findSubjects(trx, to, latest.map(keyOf));
    const placed = latest
      .map((one, index) => ({ ...one, position: first + index }))
      .filter((one) => !one.onlyEdits || known.has(keyOf(one)));
    const isNew = (one: Placed) => !known.has(keyOf(one));
    await replaceMessages(trx, to, { known, placed: placed.filter((one) => !isNew(one)), at });

    const fresh = placed.filter(isNew);
    const { counted, crowded } = chooseCounted(fresh, await readCrowding(trx, to, fresh), at);
    const posts = fresh.filter((one) => !counted.has(one));
    for (const [key, id] of await insertMessages(trx, to, posts, at)) known.set(key, id);
    const summaryPlace = first + latest.length;
    await countInSummaries(trx, to, { counted: [...counted], crowded, position: summaryPlace, at });

    await queueReplies(trx, to, {
      replies: outgoing.flatMap(({ subject, threadReply }) => {
        const replyTo = known.get(subjectKey(subject));
        return threadReply && replyTo !== undefined ? [{ replyTo, message: threadReply }] : [];
      }),
      ...{ mergeReplies, isServed, firstPlace: summaryPlace + 1, at },
    });
    return placed.map((one) => ({
      subject: one.subject,
      as: known.has(keyOf(one)) ? 'own' : 'counted',
    }));
  };
}

/** Of several about the same subject the last one stands, where the first one stood. */
function latestOfEach(outgoing: Outgoing[]): Outgoing[] {
  return [...new Map(outgoing.map((one) => [one.subject, one])).values()];
}

function keyOf({ subject }: Outgoing): string {
  return subjectKey(subject);
}
