import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { User } from '../../../playground/service/resources.ts';
import type { BulkVerb } from '../../../src/features/users/views/ids.ts';
import type { Approval } from '../../../src/requests/approval.ts';
import { toApproval, withRuns } from '../../../src/requests/store/approval-row.ts';
import { messageDecisionIds } from '../../../src/requests/views/ids.ts';
import { approvers, requesters } from '../../replicas/people.ts';
import { press, submitBulkRequest } from '../../replicas/send-interactions.ts';
import { waitFor } from '../../replicas/wait-for.ts';
import type { ChaosSetup } from '../chaos-setup.ts';
import { chooseFault } from '../choose-fault.ts';

export type SimulatedBulk = { verb: BulkVerb; users: User[]; viewId: string; isCanceled: boolean };

const usersPerRequest = 50;
const answerTimeoutMs = 4000;
const maxTries = 60;

/** Requests one change of 50 users after the other, until there are no more users or it is aborted. */
export async function simulateBulk(
  setup: ChaosSetup,
  signal: AbortSignal,
): Promise<SimulatedBulk[]> {
  const { testBed, random } = setup;
  const done: SimulatedBulk[] = [];
  const all = testBed.service.users(testBed.portal.id).slice(1);
  let enabled = all.filter(({ is_enabled }) => is_enabled);
  while (!signal.aborted && enabled.length >= usersPerRequest) {
    const users = enabled.slice(0, usersPerRequest);
    enabled = enabled.slice(usersPerRequest);
    const verb = random.chance(0.4) ? 'delete' : 'disable';
    for (const { id } of users) chooseFault(testBed.service, id, random);
    const bulk: SimulatedBulk = { verb, users, viewId: `V${randomUUID()}`, isCanceled: false };
    done.push(bulk);
    if (await request(setup, bulk)) await decide(setup, bulk);
    if (verb === 'delete' && random.chance(0.5)) bulk.isCanceled = await cancel(setup, bulk);
  }
  return done;
}

async function find(
  { db }: ChaosSetup,
  { viewId }: Pick<SimulatedBulk, 'viewId'>,
): Promise<Approval | undefined> {
  const row = await db
    .selectFrom('approval')
    .selectAll()
    .select(withRuns)
    .where('source_view_id', '=', viewId)
    .executeTakeFirst();
  return row && toApproval(row);
}

/** Submits the same form until it is stored, and waits until its message is there. */
async function request(setup: ChaosSetup, bulk: SimulatedBulk): Promise<boolean> {
  const { testBed, random } = setup;
  const requester = requesters[random.integer(0, requesters.length - 1)] ?? '';
  for (let tries = 0; tries < maxTries && !(await find(setup, bulk)); tries += 1) {
    const to = random.pick(setup.fleet.running());
    if (to) {
      await submitBulkRequest(testBed, { ...bulk, requester }, to).catch(() => undefined);
      // The replica may still be working on it until it is killed.
      const isDone = async () =>
        (await find(setup, bulk)) !== undefined || !setup.fleet.running().includes(to);
      await waitFor(isDone, { forMs: 20_000 });
    } else await wait(100);
  }
  // Stored, but possibly never posted. Then Belay voids it.
  return waitFor(
    async () => buttonOf(setup, await find(setup, bulk), messageDecisionIds.approve) !== undefined,
    {
      forMs: 20_000,
    },
  );
}

async function decide(setup: ChaosSetup, bulk: SimulatedBulk): Promise<void> {
  const isDecided = async () => (await find(setup, bulk))?.state !== 'pending';
  for (let tries = 0; tries < maxTries && !(await isDecided()); tries += 1) {
    await click(setup, bulk, messageDecisionIds.approve);
    await waitFor(isDecided, { forMs: answerTimeoutMs, everyMs: 200 });
  }
  // The next request begins while the results of this one come in.
  const isMoving = async () => (await find(setup, bulk))?.state === 'approved';
  await waitFor(async () => !(await isMoving()), { forMs: 60_000, everyMs: 500 });
}

/** Cancels the pending deletions at some point in their grace period. */
async function cancel(setup: ChaosSetup, bulk: SimulatedBulk): Promise<boolean> {
  const isScheduled = async () => (await find(setup, bulk))?.state === 'scheduled';
  await waitFor(() => false, { forMs: setup.random.integer(0, 15_000), everyMs: 500 });
  for (let tries = 0; tries < 5 && (await isScheduled()); tries += 1) {
    await click(setup, bulk, messageDecisionIds.cancel);
    const isCanceled = async () =>
      (await find(setup, bulk))?.runs.some(({ canceledBy }) => canceledBy) ?? false;
    if (await waitFor(isCanceled, { forMs: answerTimeoutMs, everyMs: 200 })) return true;
  }
  return false;
}

async function click(setup: ChaosSetup, bulk: SimulatedBulk, actionId: string): Promise<void> {
  const { testBed, random, fleet } = setup;
  const post = buttonOf(setup, await find(setup, bulk), actionId);
  const to = random.pick(fleet.running());
  const approver = random.pick(approvers) ?? '';
  if (post && to) await press(testBed, approver, post, actionId, to).catch(() => undefined);
}

/** The message of the request with this button, as an approver sees it, recorded or not. */
function buttonOf({ testBed }: ChaosSetup, approval: Approval | undefined, actionId: string) {
  if (!approval) return undefined;
  const [approver = ''] = approvers;
  const { channelId, id } = approval;
  for (const message of testBed.slack
    .snapshot(approver)
    .conversations.flatMap((one) => one.messages)) {
    const block = message.blocks?.find(
      (one) => one.type === 'actions' && JSON.stringify(one).includes(actionId),
    );
    const isOfRequest = message.channelId === channelId && JSON.stringify(block ?? '').includes(id);
    if (block?.block_id && isOfRequest) {
      const { messageTs } = message;
      return { channelId, messageTs, blockId: block.block_id, isDirect: false };
    }
  }
  return undefined;
}
