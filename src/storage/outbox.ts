import type { Transaction } from 'kysely';
import type { Destination, Outgoing, Queued } from '../features/delivery/delivery.ts';
import { lockChannel } from './outbox-channel.ts';
import {
  countWaiting,
  findSubjects,
  insertMessages,
  insertReplies,
  type Placed,
  replaceMessages,
  subjectKey,
} from './outbox-rows.ts';
import { countInSummaries, findLiveGroups } from './outbox-summaries.ts';
import type { Tables } from './tables.ts';

/** Queues messages in the transaction that makes true what they tell. */
export type QueueOutgoing = (
  trx: Transaction<Tables>,
  to: Destination,
  outgoing: Outgoing[],
  at: Date,
) => Promise<Queued[]>;

/** More posts of one group than this do not wait in one channel: the rest is counted. */
const mostOfAGroup = 10;

/**
 * The way into the outbox. It holds the channel's row until the transaction ends, so what several
 * processes queue for one channel comes one after the other, and what they count is counted once.
 * Its statements are a handful, however many messages there are.
 */
export function createQueueOutgoing(): QueueOutgoing {
  return async (trx, to, outgoing, at) => {
    if (outgoing.length === 0) return [];
    const latest = latestOfEach(outgoing);
    const replies = outgoing.filter(({ followUp }) => followUp).length;
    const first = await lockChannel(trx, to, { at, places: latest.length + replies + 1 });
    const placed = latest.map((one, index) => ({ ...one, place: first + index }));

    const known = await findSubjects(trx, to, placed.map(keyOf));
    const isNew = (one: Placed) => !known.has(keyOf(one));
    await replaceMessages(trx, to, { known, placed: placed.filter((one) => !isNew(one)), at });

    const counted = await chooseCounted(trx, to, placed.filter(isNew));
    const posts = placed.filter((one) => isNew(one) && !counted.has(one));
    for (const [key, id] of await insertMessages(trx, to, posts, at)) known.set(key, id);
    const summaryPlace = first + placed.length;
    await countInSummaries(trx, to, { counted: [...counted], place: summaryPlace, at });

    await insertReplies(trx, to, {
      replies: outgoing.flatMap(({ subject, followUp }) => {
        const replyTo = known.get(subjectKey(subject));
        return followUp && replyTo !== undefined ? [{ replyTo, message: followUp }] : [];
      }),
      firstPlace: summaryPlace + 1,
      at,
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

function keyOf({ subject }: Placed): string {
  return subjectKey(subject);
}

/** Which of these new ones are one too many: all of a group that is counted already, else the rest. */
async function chooseCounted(
  trx: Transaction<Tables>,
  to: Destination,
  fresh: Placed[],
): Promise<Set<Placed>> {
  const groups = [...new Set(fresh.flatMap(({ group }) => (group ? [group.key] : [])))];
  if (groups.length === 0) return new Set();
  const live = await findLiveGroups(trx, to, groups);
  const waiting = await countWaiting(trx, to, groups);
  return new Set(
    fresh.filter(({ group }) => {
      if (!group) return false;
      const soFar = waiting.get(group.key) ?? 0;
      if (live.has(group.key) || soFar >= mostOfAGroup) return true;
      waiting.set(group.key, soFar + 1);
      return false;
    }),
  );
}
