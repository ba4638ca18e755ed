import { setTimeout as wait } from 'node:timers/promises';
import type { User } from '../../playground/service/resources.ts';
import type { Approval } from '../../src/features/approvals/approval.ts';
import { toApproval } from '../../src/features/approvals/store/approval-row.ts';
import {
  approveActionId,
  cancelScheduledActionId,
} from '../../src/features/approvals/views/ids.ts';
import type { Verb } from '../../src/features/users/views/ids.ts';
import { approvers, requesters } from '../replicas/crew.ts';
import { press, submitDenial, submitRequest } from '../replicas/gestures.ts';
import { waitFor } from '../replicas/wait-for.ts';
import type { Arena } from './arena.ts';
import { chooseFault } from './choose-fault.ts';

/** What became of one request as far as people had to do with it. */
export type Errand = { user: User; verb: Verb; fault: string; asked: number; clicks: number };

const patienceMs = 4000;
const most = 30;

/** Asks for one change and has it decided, as people do: whoever gets no answer tries again. */
export async function runErrand(arena: Arena, user: User): Promise<Errand> {
  const { stage, random } = arena;
  const errand: Errand = {
    user,
    verb: chooseVerb(arena, user),
    fault: chooseFault(stage.service, user.id, random),
    asked: 0,
    clicks: 0,
  };
  if (!(await ask(arena, errand))) return errand;
  await decide(arena, errand);
  const after = await find(arena, user);
  if (errand.verb === 'delete' && after?.decidedBy && random.chance(0.4)) {
    await keep(arena, user);
  }
  return errand;
}

function chooseVerb({ random }: Arena, { is_enabled }: User): Verb {
  if (!is_enabled) return 'enable';
  const roll = random.integer(1, 100);
  return roll <= 45 ? 'disable' : roll <= 65 ? 'rename' : 'delete';
}

async function find({ db }: Arena, { id }: User): Promise<Approval | undefined> {
  const row = await db
    .selectFrom('approval')
    .selectAll()
    .where('subject_id', '=', id)
    .executeTakeFirst();
  return row && toApproval(row);
}

/** True once there is a message to decide on. A request that died before it was posted is asked anew. */
async function ask(arena: Arena, errand: Errand): Promise<boolean> {
  const { stage, posts } = arena;
  const { verb, user } = errand;
  const requester = requesters[Number(user.id) % requesters.length] ?? '';
  const isPosted = () => posts.about(user.email).some(({ isDirect }) => !isDirect);
  while (errand.asked < most && !isPosted()) {
    // In the database, and its message late or never posted: then Belay gives it up by itself.
    if (await find(arena, user)) return waitFor(isPosted, { forMs: 20_000 });
    const to = anyReplica(arena);
    if (!to) {
      await wait(100);
      continue;
    }
    errand.asked += 1;
    await submitRequest(stage, { requester, verb, user }, to).catch(() => undefined);
    // Whoever took it may still be at it for as long as it lives.
    const isOver = () => isPosted() || !arena.fleet.running().includes(to);
    await waitFor(isOver, { forMs: 30_000 });
  }
  return isPosted();
}

async function decide(arena: Arena, errand: Errand): Promise<void> {
  const { stage, posts, random } = arena;
  const { user } = errand;
  const wantsNo = random.chance(0.08);
  while (errand.clicks < most) {
    const approval = await find(arena, user);
    if (approval?.state !== 'pending') return;
    const post = posts.about(user.email).find(({ isDirect }) => !isDirect);
    const rivals = random.chance(0.3) ? 2 : 1;
    const from = random.integer(0, approvers.length - 1);
    for (let rival = 0; rival < rivals && post; rival += 1) {
      const approver = approvers[(from + rival) % approvers.length] ?? '';
      const to = anyReplica(arena);
      if (!to) continue;
      errand.clicks += 1;
      const click = wantsNo
        ? submitDenial(stage, { approver, approvalId: approval.id }, to)
        : press(stage, approver, post, approveActionId, to);
      click.catch(() => undefined);
    }
    const isDecided = async () => (await find(arena, user))?.state !== 'pending';
    await waitFor(isDecided, { forMs: patienceMs, everyMs: 200 });
  }
}

/** Somebody changes their mind within the grace, if there is one. */
async function keep(arena: Arena, user: User): Promise<void> {
  const { stage, random } = arena;
  const who = approvers[random.integer(0, approvers.length - 1)] ?? '';
  const isScheduled = async () => (await find(arena, user))?.state === 'scheduled';
  if (!(await waitFor(isScheduled, { forMs: 15_000, everyMs: 500 }))) return;
  await waitFor(() => false, { forMs: random.integer(0, 20_000), everyMs: 500 });
  for (let tries = 0; tries < 5 && (await isScheduled()); tries += 1) {
    const { channelId = '', messageTs = '' } = (await find(arena, user)) ?? {};
    const blockId = cancelButtonIn(arena, who, messageTs);
    const to = anyReplica(arena);
    if (blockId && to) {
      const on = { channelId, messageTs, blockId, isDirect: false };
      await press(stage, who, on, cancelScheduledActionId, to).catch(() => undefined);
    }
    await waitFor(async () => !(await isScheduled()), { forMs: patienceMs, everyMs: 200 });
  }
}

function cancelButtonIn({ stage }: Arena, who: string, messageTs: string): string | undefined {
  return stage.slack
    .snapshot(who)
    .conversations.flatMap(({ messages }) => messages)
    .find((message) => message.messageTs === messageTs)
    ?.blocks?.find(
      (block) =>
        block.type === 'actions' &&
        block.elements.some(
          (one) => 'action_id' in one && one.action_id === cancelScheduledActionId,
        ),
    )?.block_id;
}

function anyReplica({ fleet, random }: Arena) {
  const running = fleet.running();
  return running[random.integer(0, Math.max(0, running.length - 1))];
}
