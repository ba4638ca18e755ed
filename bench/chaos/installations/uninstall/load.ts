import { setTimeout as wait } from 'node:timers/promises';
import type { Random } from '../../../../playground/service/data/random.ts';
import type { User } from '../../../../playground/service/resources.ts';
import type { Verb } from '../../../../src/features/users/views/ids.ts';
import { messageDecisionIds } from '../../../../src/requests/views/ids.ts';
import { approvers, requesters } from '../../../replicas/people.ts';
import { press, submitRequest } from '../../../replicas/send-interactions.ts';
import { waitFor } from '../../../replicas/wait-for.ts';
import { type Post, type Posts, watchPosts } from '../../../replicas/watch-posts.ts';
import { chooseFault } from '../../choose-fault.ts';
import type { UninstallWorld } from './world.ts';

const maxConcurrent = 8;
const postedWithinMs = 4000;

/** Requests, approvals and cancellations as in the approvals program, until it is stopped. */
export function startLoad(world: UninstallWorld, random: Random): { stop: () => Promise<number> } {
  const { testBed } = world;
  const users = testBed.service.users(testBed.portal.id).slice(1);
  const posts = watchPosts(testBed.slack);
  const ending = new AbortController();
  let requested = 0;
  const work = async () => {
    while (!ending.signal.aborted && users.length > 0) {
      const [user] = users.splice(random.integer(0, users.length - 1), 1);
      if (!user) return;
      requested += 1;
      // Each step may fail, such as after the uninstall. Only what is left at the end is checked.
      await requestOne(world, { user, posts, random, signal: ending.signal }).catch(
        () => undefined,
      );
    }
  };
  const workers = Array.from({ length: maxConcurrent }, work);
  return {
    async stop() {
      ending.abort();
      await Promise.all(workers);
      return requested;
    },
  };
}

type Turn = { user: User; posts: Posts; random: Random; signal: AbortSignal };

async function requestOne(world: UninstallWorld, { user, posts, random, signal }: Turn) {
  const { testBed, fleet } = world;
  const anyReplica = () => {
    const replica = random.pick(fleet.running());
    if (!replica) throw new Error('no replica is running');
    return replica;
  };
  const verb: Verb = user.is_enabled
    ? random.chance(0.5)
      ? 'delete'
      : random.chance(0.5)
        ? 'disable'
        : 'rename'
    : 'enable';
  chooseFault(testBed.service, user.id, random);
  const requester = random.pick(requesters) ?? '';
  await submitRequest(testBed, { requester, verb, user }, anyReplica());
  const findPost = (): Post | undefined =>
    posts.about(user.email).find(({ isDirect }) => !isDirect);
  const until = () => signal.aborted || findPost() !== undefined;
  await waitFor(until, { forMs: postedWithinMs, everyMs: 40 });
  const post = findPost();
  if (!post || signal.aborted || random.chance(0.2)) return;
  const approver = random.pick(approvers) ?? '';
  await press(testBed, approver, post, messageDecisionIds.approve, anyReplica());
  if (verb !== 'delete' || !random.chance(0.4)) return;
  await wait(random.integer(200, 1500));
  if (signal.aborted) return;
  await press(testBed, approver, post, messageDecisionIds.cancel, anyReplica());
}
