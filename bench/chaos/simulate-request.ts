import { setTimeout as wait } from 'node:timers/promises';
import type { User } from '../../playground/service/resources.ts';
import type { Verb } from '../../src/features/users/views/ids.ts';
import type { Approval } from '../../src/requests/approval.ts';
import { toApproval, withRuns } from '../../src/requests/store/approval-row.ts';
import { messageDecisionIds } from '../../src/requests/views/ids.ts';
import { amount } from '../read-options.ts';
import { approvers, requesters } from '../replicas/people.ts';
import { press, submitDenial, submitRequest } from '../replicas/send-interactions.ts';
import { waitFor } from '../replicas/wait-for.ts';
import type { ChaosSetup } from './chaos-setup.ts';
import { chooseFault } from './choose-fault.ts';

/** The actions for one request: forms submitted and buttons clicked. */
export type SimulatedRequest = {
  user: User;
  verb: Verb;
  fault: string;
  submissions: number;
  clicks: number;
};

const maxConcurrent = 10;
const requestEveryMs = 650;
const answerTimeoutMs = 4000;
const maxTries = 30;
/** Until people submit a form again that has no result. Outages of the short form are short too. */
const resultTimeoutMs = amount(60_000, 15_000);

/** Sends requests continuously, each about a different user, at most `maxConcurrent` at a time. */
export async function simulateRequests(
  setup: ChaosSetup,
  signal: AbortSignal,
): Promise<SimulatedRequest[]> {
  const { testBed } = setup;
  const users = testBed.service.users(testBed.portal.id).slice(1);
  const done: SimulatedRequest[] = [];
  const underWay = new Set<Promise<void>>();
  const run = async (user: User) => void done.push(await simulateRequest(setup, user));
  for (const user of users) {
    if (signal.aborted) break;
    const simulation: Promise<void> = run(user).finally(() => underWay.delete(simulation));
    underWay.add(simulation);
    await wait(requestEveryMs);
    if (underWay.size >= maxConcurrent) await Promise.race(underWay);
  }
  await Promise.all(underWay);
  return done;
}

/** Requests one change and decides on it like people, who try again if there is no answer. */
async function simulateRequest(setup: ChaosSetup, user: User): Promise<SimulatedRequest> {
  const { testBed, random } = setup;
  const simulation: SimulatedRequest = {
    user,
    verb: chooseVerb(setup, user),
    fault: chooseFault(testBed.service, user.id, random),
    submissions: 0,
    clicks: 0,
  };
  if (!(await request(setup, simulation))) return simulation;
  await decide(setup, simulation);
  const after = await find(setup, user);
  if (simulation.verb === 'delete' && after?.decidedBy && random.chance(0.4)) {
    await cancelDeletion(setup, user);
  }
  return simulation;
}

function chooseVerb({ random }: ChaosSetup, { is_enabled }: User): Verb {
  if (!is_enabled) return 'enable';
  const roll = random.integer(1, 100);
  return roll <= 45 ? 'disable' : roll <= 65 ? 'rename' : 'delete';
}

async function find({ db }: ChaosSetup, { id }: User): Promise<Approval | undefined> {
  const row = await db
    .selectFrom('run')
    .innerJoin('approval', 'approval.id', 'run.approval_id')
    .selectAll('approval')
    .select(withRuns)
    .where('subject_id', '=', id)
    .executeTakeFirst();
  return row && toApproval(row);
}

/** True once there is a message to decide on. Submits again while there is none. */
async function request(setup: ChaosSetup, simulation: SimulatedRequest): Promise<boolean> {
  const { testBed, posts } = setup;
  const { verb, user } = simulation;
  const requester = requesters[Number(user.id) % requesters.length] ?? '';
  const isPosted = () => posts.about(user.email).some(({ isDirect }) => !isDirect);
  while (simulation.submissions < maxTries && !isPosted()) {
    // Stored, but its message is late or was never posted. Then Belay voids the request.
    if (await find(setup, user)) return waitFor(isPosted, { forMs: 20_000 });
    const to = anyReplica(setup);
    if (!to) {
      await wait(100);
      continue;
    }
    simulation.submissions += 1;
    await submitRequest(testBed, { requester, verb, user }, to).catch(() => undefined);
    // The replica may still be running the step until it is killed.
    const { fleet } = setup;
    const hasEnded = () => !fleet.running().includes(to) && !fleet.isStopping?.(to.name);
    await waitFor(() => isPosted() || hasEnded(), { forMs: resultTimeoutMs });
  }
  return isPosted();
}

/** Clicks until the request is decided, `maxTries` times at most. */
async function decide(setup: ChaosSetup, simulation: SimulatedRequest): Promise<void> {
  const { testBed, posts, random } = setup;
  const { user } = simulation;
  const denies = random.chance(0.08);
  while (simulation.clicks < maxTries) {
    const approval = await find(setup, user);
    if (approval?.state !== 'pending') return;
    const post = posts.about(user.email).find(({ isDirect }) => !isDirect);
    const rivals = random.chance(0.3) ? 2 : 1;
    const from = random.integer(0, approvers.length - 1);
    for (let rival = 0; rival < rivals && post; rival += 1) {
      const approver = approvers[(from + rival) % approvers.length] ?? '';
      const to = anyReplica(setup);
      if (!to) continue;
      simulation.clicks += 1;
      const click = denies
        ? // The form opens from the button, whose click records where the message is.
          press(testBed, approver, post, messageDecisionIds.deny, to).then(() =>
            submitDenial(testBed, { approver, approvalId: approval.id }, to),
          )
        : press(testBed, approver, post, messageDecisionIds.approve, to);
      click.catch(() => undefined);
    }
    const isDecided = async () => (await find(setup, user))?.state !== 'pending';
    await waitFor(isDecided, { forMs: answerTimeoutMs, everyMs: 200 });
  }
}

/** Cancels the deletion within its grace period, if there is one. */
async function cancelDeletion(setup: ChaosSetup, user: User): Promise<void> {
  const { testBed, random } = setup;
  const who = random.pick(approvers) ?? '';
  const isScheduled = async () => (await find(setup, user))?.state === 'scheduled';
  if (!(await waitFor(isScheduled, { forMs: 15_000, everyMs: 500 }))) return;
  await waitFor(() => false, { forMs: random.integer(0, 20_000), everyMs: 500 });
  for (let tries = 0; tries < 5 && (await isScheduled()); tries += 1) {
    const { channelId = '', messageTs = '' } = (await find(setup, user)) ?? {};
    const blockId = cancelButtonIn(setup, who, messageTs);
    const to = anyReplica(setup);
    if (blockId && to) {
      const on = { channelId, messageTs, blockId, isDirect: false };
      await press(testBed, who, on, messageDecisionIds.cancel, to).catch(() => undefined);
    }
    await waitFor(async () => !(await isScheduled()), { forMs: answerTimeoutMs, everyMs: 200 });
  }
}

function cancelButtonIn(
  { testBed }: ChaosSetup,
  who: string,
  messageTs: string,
): string | undefined {
  return testBed.slack
    .snapshot(who)
    .conversations.flatMap(({ messages }) => messages)
    .find((message) => message.messageTs === messageTs)
    ?.blocks?.find(
      (block) =>
        block.type === 'actions' &&
        block.elements.some(
          (one) => 'action_id' in one && one.action_id === messageDecisionIds.cancel,
        ),
    )?.block_id;
}

const anyReplica = ({ fleet, random }: ChaosSetup) => random.pick(fleet.running());
