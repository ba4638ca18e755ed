import type { Approval, Run, Vote } from '../../src/requests/approval.ts';

const at = new Date('2026-03-01T10:00:00Z');

/** What both have is changed in both, as for every request about one subject. */
type Changes = Partial<Omit<Approval, 'runs'>> & Partial<Run>;

/** A request as stored in the database: a pending one to disable user 7. */
export function sampleApproval(changes: Changes = {}): Approval {
  const id = 'b9d1f7a0-0000-4000-8000-000000000000';
  const sample: Approval = {
    id,
    teamId: 'T1',
    connectionId: 'c1',
    connectionOriginId: 'c1',
    action: 'users.disable',
    preview: [],
    reason: 'Left',
    requester: 'U1',
    state: 'pending',
    version: 3,
    channelId: 'C1',
    messageTs: '1.0',
    requiredApprovals: 1,
    rule: undefined,
    votes: [],
    decidedBy: undefined,
    decisionReason: undefined,
    decidedAt: undefined,
    wakeAt: undefined,
    finishedAt: undefined,
    requestedAt: at,
    expiresAt: at,
    runs: [
      {
        id,
        payload: { id: '7' },
        subjectId: '7',
        snapshot: undefined,
        checks: [],
        state: 'pending',
        step: 'disable',
        attempts: 0,
        sent: [],
        version: 3,
        canceledBy: undefined,
        startedAt: undefined,
        waitingSince: undefined,
        wakeAt: undefined,
        outcome: undefined,
        finishedAt: undefined,
      },
    ],
  };
  return changeSample(sample, changes);
}

/** A copy of a request about one subject. */
export function changeSample(approval: Approval, changes: Changes): Approval {
  const [run] = approval.runs;
  const isOf = (object: object) => (name: string) => Object.hasOwn(object, name);
  const pick = (isKnown: (name: string) => boolean) =>
    Object.fromEntries(Object.entries(changes).filter(([name]) => isKnown(name)));
  const isOfRun = isOf(run);
  const ofApproval = pick((name) => isOf(approval)(name) || !isOfRun(name));
  return { ...approval, ...ofApproval, runs: [{ ...run, ...pick(isOfRun) }] };
}

/** An approval that counts, where no rule names who approves. */
export function sampleVote(by: string): Vote {
  return { by, mailboxHash: by, at, meets: [0] };
}
