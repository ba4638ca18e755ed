import type { Approval, Vote } from '../../src/requests/approval.ts';

const at = new Date('2026-03-01T10:00:00Z');

/** A row as stored in the database: a pending request to disable user 7. */
export function sampleApproval(changes: Partial<Approval> = {}): Approval {
  return {
    id: 'b9d1f7a0-0000-4000-8000-000000000000',
    teamId: 'T1',
    connectionId: 'c1',
    connectionOriginId: 'c1',
    action: 'users.disable',
    payload: { id: '7' },
    subjectId: '7',
    snapshot: undefined,
    snapshotHash: 'hash',
    preview: [],
    checks: [],
    reason: 'Left',
    requester: 'U1',
    state: 'pending',
    step: 'disable',
    attempts: 0,
    sent: [],
    version: 3,
    channelId: 'C1',
    messageTs: '1.0',
    requiredApprovals: 1,
    rule: undefined,
    votes: [],
    decidedBy: undefined,
    decisionReason: undefined,
    decidedAt: undefined,
    canceledBy: undefined,
    startedAt: undefined,
    wakeAt: undefined,
    outcome: undefined,
    finishedAt: undefined,
    requestedAt: at,
    expiresAt: at,
    parentId: undefined,
    tally: undefined,
    ...changes,
  };
}

/** An approval that counts, where no rule names who approves. */
export function sampleVote(by: string): Vote {
  return { by, mailboxHash: by, at, meets: [0] };
}
