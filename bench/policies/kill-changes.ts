import { setTimeout as wait } from 'node:timers/promises';
import type { PolicyDefinition } from '../../src/dataprotection/resources/policies.ts';
import { subjectOf } from '../../src/features/policies/changes/read-policy.ts';
import { findRevertible } from '../../src/features/policies/changes/revert-change.ts';
import { hasSameContent } from '../../src/features/policies/difference/canonical.ts';
import { replacePayload } from '../../src/features/policies/stored-policy.ts';
import type { Approval } from '../../src/requests/approval.ts';
import { listenTo } from '../replicas/listen-to.ts';
import { approvers, requesters } from '../replicas/people.ts';
import { waitFor } from '../replicas/wait-for.ts';
import { beganChannel } from '../replicas/watch-states.ts';
import {
  approve,
  findNewest,
  type PolicySetup,
  shownMessages,
  waitForEnd,
  withRetention,
} from './policy-round.ts';

type Round = { kind: 'change' | 'revert'; state: string; wasRunning: boolean };

/** Kills the replica that has begun to change or revert a policy, `kills` times. */
export async function killChanges(
  setup: PolicySetup,
  { url, kills }: { url: string; kills: number },
): Promise<{ rounds: Round[]; violations: string[] }> {
  const rounds: Round[] = [];
  const violations: string[] = [];
  const began = await listenTo(url, beganChannel);
  const names = (await setup.requests.readAll())
    .filter(({ slaSets }) => slaSets[0]?.slas[0]?.retentionDuration)
    .map(({ id }) => id);
  try {
    for (let round = 0; round < kills; round += 1) {
      const policyId = names[Math.floor(round / 2) % names.length] ?? '';
      await waitFor(() => setup.fleet.running().length > 1, { forMs: 20_000, everyMs: 20 });
      const requested = await request(setup, policyId, round);
      began.clear();
      const approving = approve(setup, () => findNewest(setup, policyId));
      await waitFor(() => began.newest() !== undefined, { forMs: 10_000, everyMs: 2 });
      await wait(setup.random.integer(0, 350));
      const { state: atKill } = await findNewest(setup, policyId);
      await setup.fleet.kill(began.newest() ?? setup.fleet.running()[0]?.name ?? '');
      await approving;
      const approval = await waitForEnd(setup, policyId);
      rounds.push({ ...requested, state: approval.state, wasRunning: atKill === 'running' });
      violations.push(...(await check(setup, approval)).map((fault) => `${approval.id}: ${fault}`));
      if (rounds.length % 20 === 0) process.stdout.write(`${rounds.length} kills\n`);
    }
  } finally {
    await began.close();
  }
  return { rounds, violations };
}

/** A change and, in the next round, its inverse. */
async function request(
  setup: PolicySetup,
  policyId: string,
  round: number,
): Promise<Pick<Round, 'kind'>> {
  const { requests } = setup;
  const requester = requesters[round % requesters.length] ?? '';
  const policies = await requests.readAll();
  const before = policies.find(({ id }) => id === policyId);
  if (!before) throw new Error(`no policy ${policyId}`);
  const newest = round % 2 === 1 ? await findNewest(setup, policyId) : undefined;
  if (newest) {
    const found = await findRevertible(newest, await requests.openService());
    if (found.result === 'revertible') {
      const after = found.payload.before;
      const change = { kind: 'replace' as const, policyId, before, after, undoes: newest.id };
      await requests.submit(requester, change);
      return { kind: 'revert' };
    }
  }
  const after = withRetention(before, 100 + round);
  await requests.submit(requester, { kind: 'replace', policyId, before, after });
  return { kind: 'change' };
}

/** The service holds exactly the old or the new policy, and the row and the messages say which. */
async function check({ requests, testBed }: PolicySetup, approval: Approval): Promise<string[]> {
  const { before, after } = replacePayload.parse(approval.runs[0].payload);
  const { client } = await requests.openService();
  const current = (await requests.readAll()).find(({ id }) => id === approval.runs[0].subjectId);
  const held = current && holds(subjectOf(client, current).definition, { before, after });
  const expected = approval.state === 'completed' ? 'new' : 'old';
  const title = approval.state === 'completed' ? 'Completed' : /Failed|Voided/;
  const isShown = await waitFor(
    () => {
      const text = shownMessages(testBed, approvers[0] ?? '').find(
        ({ messageTs }) => messageTs === approval.messageTs,
      )?.text;
      return text?.match(title) !== null && text !== undefined;
    },
    // A process that died while it updated the message has claimed that for 30 seconds.
    { forMs: 45_000 },
  );
  return [
    ...(held === expected ? [] : [`is ${approval.state}, but the service holds ${held}`]),
    ...(isShown ? [] : [`its message doesn't say that it is ${approval.state}`]),
  ];
}

function holds(
  current: PolicyDefinition,
  { before, after }: { before: PolicyDefinition; after: PolicyDefinition },
): 'old' | 'new' | 'neither' {
  if (hasSameContent(current, after)) return 'new';
  return hasSameContent(current, before) ? 'old' : 'neither';
}
