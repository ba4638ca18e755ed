import type { User } from '../../playground/service/resources.ts';
import type { Approval } from '../../src/requests/approval.ts';
import { requesters } from '../replicas/people.ts';
import { readApprovals } from '../replicas/read-approvals.ts';
import { submitRequest } from '../replicas/send-interactions.ts';
import { waitFor } from '../replicas/wait-for.ts';
import type { Post } from '../replicas/watch-posts.ts';
import type { RaceSetup } from './open-race.ts';

/** A request and its message in the channel. */
export type PostedRequest = { user: User; approval: Approval; post: Post };

const maxConcurrent = 10;

/** Requests to disable each of these users; resolves when all requests are posted. */
export async function postRequests(setup: RaceSetup, users: User[]): Promise<PostedRequest[]> {
  const { testBed, replicas } = setup;
  for (let from = 0; from < users.length; from += maxConcurrent) {
    const asked = users.slice(from, from + maxConcurrent).map(async (user, index) => {
      const to = replicas[index % replicas.length];
      const requester = requesters[index % requesters.length];
      if (to && requester) await submitRequest(testBed, { requester, verb: 'disable', user }, to);
    });
    await Promise.all(asked);
  }
  let posted: PostedRequest[] = [];
  await waitFor(
    async () => {
      posted = await findPosted(setup, users);
      return posted.length === users.length;
    },
    // Not judged. It takes long on the embedded database, which has one connection.
    { forMs: 300_000 },
  );
  if (posted.length < users.length) {
    throw new Error(`only ${posted.length} of ${users.length} requests were posted`);
  }
  return posted;
}

async function findPosted({ db, posts }: RaceSetup, users: User[]): Promise<PostedRequest[]> {
  const approvals = await readApprovals(db);
  return users.flatMap((user) => {
    const approval = approvals.find(({ subjectId }) => subjectId === user.id);
    const post = posts.about(user.email).find(({ isDirect }) => !isDirect);
    return approval?.messageTs && post ? [{ user, approval, post }] : [];
  });
}
