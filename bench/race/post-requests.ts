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

/**
 * Requests to disable each of these users; resolves when all requests are posted. Only so many at a time
 * are under way: one process acknowledges forms faster than it posts requests.
 */
export async function postRequests(setup: RaceSetup, users: User[]): Promise<PostedRequest[]> {
  const { testBed, replicas } = setup;
  const posted: PostedRequest[] = [];
  for (let from = 0; from < users.length; from += maxConcurrent) {
    const some = users.slice(from, from + maxConcurrent);
    const asked = some.map(async (user, index) => {
      const to = replicas[index % replicas.length];
      const requester = requesters[index % requesters.length];
      if (to && requester) await submitRequest(testBed, { requester, verb: 'disable', user }, to);
    });
    await Promise.all(asked);
    posted.push(...(await waitUntilPosted(setup, some)));
  }
  return posted;
}

async function waitUntilPosted(setup: RaceSetup, users: User[]): Promise<PostedRequest[]> {
  let posted: PostedRequest[] = [];
  await waitFor(
    async () => {
      posted = await findPosted(setup, users);
      return posted.length === users.length;
    },
    { forMs: 60_000, everyMs: 50 },
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
