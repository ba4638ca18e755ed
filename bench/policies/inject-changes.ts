import { setTimeout as wait } from 'node:timers/promises';
import { requesters } from '../replicas/people.ts';
import {
  approve,
  findNewest,
  type PolicySetup,
  retentionOf,
  waitForEnd,
  withRetention,
} from './policy-round.ts';

type Case = { result: 'refused' | 'voided' | 'after the PUT' | 'in the window' | 'overwritten' };

const moments = ['before submission', 'before approval', 'after approval', 'at the PUT'] as const;

/** About as long as the last reading and the PUT take. */
const maxDelayMs = 150;

/**
 * Changes a policy elsewhere while a request about it waits or runs. What came before the last reading
 * must survive; what comes between it and the PUT can't, and is counted.
 */
export async function injectChanges(
  setup: PolicySetup,
  { count }: { count: number },
): Promise<{ cases: Case[]; windows: number[]; violations: string[] }> {
  const { testBed, requests, random } = setup;
  const { service, portal } = testBed;
  const cases: Case[] = [];
  const windows: number[] = [];
  const violations: string[] = [];
  service.setTaskTimings({ delayMs: 0 });
  const ids = (await requests.readAll())
    .filter((policy) => retentionOf(policy) !== undefined)
    .map(({ id }) => id);

  for (let index = 0; index < count; index += 1) {
    const policyId = ids[index % ids.length] ?? '';
    const before = (await requests.readAll()).find(({ id }) => id === policyId);
    if (!before) continue;
    const elsewhere = 10_000 + index;
    let injectedAt: number | undefined;
    const inject = () => {
      const stored = service.policies(portal.id).find(({ id }) => id === policyId);
      for (const { slas } of stored?.sla_sets.slice(0, 1) ?? []) {
        for (const { retention_duration } of slas.slice(0, 1)) retention_duration.value = elsewhere;
      }
      service.changePolicy(portal.id, policyId, { sla_sets: stored?.sla_sets ?? [] });
      injectedAt = performance.now();
    };
    const moment = moments[index % moments.length];
    let isApproved = false;
    let readAt = 0;
    let putAt: number | undefined;
    let lastReadAt = 0;
    service.setOnHandled(({ method, path }) => {
      // Belay also reads lists and statistics in the background.
      if (path !== `/policies/definitions/${policyId}`) return;
      if (method === 'PUT') [putAt, lastReadAt] = [performance.now(), readAt];
      if (method === 'GET') readAt = performance.now();
      if (method !== 'GET' || !isApproved || injectedAt !== undefined) return;
      if (moment === 'at the PUT') setTimeout(inject, random.integer(0, maxDelayMs));
      isApproved = false;
    });
    if (moment === 'before submission') inject();
    const after = withRetention(before, 20_000 + index);
    const requester = requesters[index % requesters.length] ?? '';
    const reply = await requests.submit(requester, { kind: 'replace', policyId, before, after });
    if (!reply.includes('Request sent to')) {
      cases.push({ result: 'refused' });
      continue;
    }
    if (moment === 'before approval') inject();
    isApproved = true;
    const approving = approve(setup, () => findNewest(setup, policyId));
    if (moment === 'after approval') {
      while ((await findNewest(setup, policyId)).state === 'pending') await wait(2);
      await wait(random.integer(0, 40));
      inject();
    }
    await approving;
    const { state, id } = await waitForEnd(setup, policyId);
    if (putAt !== undefined) windows.push(putAt - lastReadAt);
    const result = resultOf({ state, injectedAt, putAt, lastReadAt });
    cases.push({ result });
    const now = (await requests.readAll()).find((one) => one.id === policyId);
    if (result === 'overwritten') violations.push(`${id}: a change made elsewhere was overwritten`);
    if (result === 'voided' && now && retentionOf(now) !== elsewhere) {
      violations.push(`${id}: voided, but the other change is gone`);
    }
  }
  service.setOnHandled(undefined);
  return { cases, windows, violations };
}

function resultOf({
  state,
  injectedAt,
  putAt,
  lastReadAt,
}: {
  state: string;
  injectedAt: number | undefined;
  putAt: number | undefined;
  lastReadAt: number;
}): Case['result'] {
  if (putAt === undefined) return state === 'voided' ? 'voided' : 'refused';
  // The change may have ended before the delay did.
  if (injectedAt === undefined || injectedAt > putAt) return 'after the PUT';
  return injectedAt >= lastReadAt ? 'in the window' : 'overwritten';
}
