import type { Random } from '../../playground/service/data/random.ts';
import type { Database } from '../../src/database/tables.ts';
import type { Policy } from '../../src/dataprotection/resources/policies.ts';
import type { Approval } from '../../src/requests/approval.ts';
import { toApproval, withRuns } from '../../src/requests/store/approval-row.ts';
import { messageDecisionIds } from '../../src/requests/views/ids.ts';
import type { openPolicyRequests } from '../../test/support/policy-requests.ts';
import type { Fleet } from '../chaos/fleet.ts';
import { approvers } from '../replicas/people.ts';
import { press } from '../replicas/send-interactions.ts';
import type { TestBed } from '../replicas/test-bed.ts';
import { waitFor } from '../replicas/wait-for.ts';

export type PolicySetup = {
  testBed: TestBed;
  db: Database;
  fleet: Fleet;
  random: Random;
  requests: Awaited<ReturnType<typeof openPolicyRequests>>;
};

const endedStates = new Set(['completed', 'failed', 'voided', 'denied', 'expired']);

/** The newest request about a policy. */
export async function findNewest({ db }: PolicySetup, policyId: string): Promise<Approval> {
  const row = await db
    .selectFrom('run')
    .innerJoin('approval', 'approval.id', 'run.approval_id')
    .selectAll('approval')
    .select(withRuns)
    .where('subject_id', '=', policyId)
    .orderBy('requested_at', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  return toApproval(row);
}

/** Clicks as one approver after the other, again if there is no answer, until it is decided. */
export async function approve(
  { testBed, fleet }: Pick<PolicySetup, 'testBed' | 'fleet'>,
  find: () => Promise<Approval>,
): Promise<void> {
  for (let tries = 0; tries < 60; tries += 1) {
    const { state, channelId, messageTs } = await find();
    if (state !== 'pending') return;
    const who = approvers[tries % approvers.length] ?? '';
    const to = fleet.running()[tries % Math.max(1, fleet.running().length)];
    const blockId = messageTs && blockWithApprove(testBed, who, messageTs);
    if (to && blockId && messageTs) {
      const on = { channelId, messageTs, blockId, isDirect: false };
      await press(testBed, who, on, messageDecisionIds.approve, to).catch(() => undefined);
    }
    const isDecided = async () => (await find()).state !== 'pending';
    await waitFor(isDecided, { forMs: 400, everyMs: 20 });
  }
}

function blockWithApprove(testBed: TestBed, who: string, messageTs: string): string | undefined {
  return shownMessages(testBed, who)
    .find((message) => message.messageTs === messageTs)
    ?.blocks?.find(
      (block) =>
        block.type === 'actions' &&
        block.elements.some(
          (one) => 'action_id' in one && one.action_id === messageDecisionIds.approve,
        ),
    )?.block_id;
}

export function shownMessages({ slack }: TestBed, who: string) {
  return slack.snapshot(who).conversations.flatMap(({ messages }) => messages);
}

/** Resolves to the request once it has ended; one that stays open is returned as it is. */
export async function waitForEnd(setup: PolicySetup, policyId: string): Promise<Approval> {
  await waitFor(
    async () => {
      const { state, runs } = await findNewest(setup, policyId);
      return endedStates.has(state) || (state === 'outcome_unknown' && !runs[0].wakeAt);
    },
    { forMs: 40_000, everyMs: 50 },
  );
  return findNewest(setup, policyId);
}

/** The retention of the first SLA, which is what the requests here change. */
export function retentionOf({ slaSets }: Pick<Policy, 'slaSets'>): number | undefined {
  return slaSets[0]?.slas[0]?.retentionDuration?.value;
}

export function withRetention({ id: _, ...policy }: Policy, value: number) {
  const changed = structuredClone(policy);
  const duration = changed.slaSets[0]?.slas[0]?.retentionDuration;
  if (duration) duration.value = value;
  return changed;
}
