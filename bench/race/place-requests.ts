import type { User } from '../../playground/service/resources.ts';
import type { Approval } from '../../src/features/approvals/approval.ts';
import { requesters } from '../replicas/crew.ts';
import { submitRequest } from '../replicas/gestures.ts';
import { readApprovals } from '../replicas/read-approvals.ts';
import { waitFor } from '../replicas/wait-for.ts';
import type { Post } from '../replicas/watch-posts.ts';
import type { Ring } from './open-ring.ts';

/** A request that can be decided, with the message on which that is done. */
export type Placed = { user: User; approval: Approval; post: Post };

const atOnce = 10;

/** Asks to disable each of these users; resolves when all requests can be decided. */
export async function placeRequests(ring: Ring, users: User[]): Promise<Placed[]> {
  const { stage, replicas } = ring;
  for (let from = 0; from < users.length; from += atOnce) {
    const asked = users.slice(from, from + atOnce).map(async (user, index) => {
      const to = replicas[index % replicas.length];
      const requester = requesters[index % requesters.length];
      if (to && requester) await submitRequest(stage, { requester, verb: 'disable', user }, to);
    });
    await Promise.all(asked);
  }
  let placed: Placed[] = [];
  await waitFor(
    async () => {
      placed = await findPlaced(ring, users);
      return placed.length === users.length;
    },
    { forMs: 60_000 },
  );
  if (placed.length < users.length) {
    throw new Error(`only ${placed.length} of ${users.length} requests were posted`);
  }
  return placed;
}

async function findPlaced({ db, posts }: Ring, users: User[]): Promise<Placed[]> {
  const approvals = await readApprovals(db);
  return users.flatMap((user) => {
    const approval = approvals.find(({ subjectId }) => subjectId === user.id);
    const post = posts.about(user.email).find(({ isDirect }) => !isDirect);
    return approval?.messageTs && post ? [{ user, approval, post }] : [];
  });
}
