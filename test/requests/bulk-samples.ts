import { addMinutes } from 'date-fns/addMinutes';
import { bulkActionNames, bulkVerbs } from '../../src/features/users/views/ids.ts';
import type { Approval } from '../../src/requests/approval.ts';
import type { ApprovalState } from '../../src/requests/approval-state.ts';
import { type ChildProgress, newTally, tallyOf } from '../../src/requests/bulk/tally.ts';
import { safe } from '../../src/slack/ui/mrkdwn.ts';
import { sampleNow as at, channelId, people } from '../features/sample-place.ts';
import type { Samples } from '../features/samples.ts';
import { sampleApproval, sampleVote } from './sample-approval.ts';

type SampleBulk = { approval: Approval; children: Approval[] };

const count = 50;

/** As many users as a request can have, each with its own id. */
export function manyUsers({ users: [user] }: Samples) {
  return Array.from({ length: count }, (_, index) => ({
    ...user,
    id: `${user.id.slice(0, 50)}${index}`,
  }));
}

/** Bulk requests in states that differ in what their messages show. */
export function bulkRequests(samples: Samples): SampleBulk[] {
  return bulkVerbs.flatMap((verb) => {
    const action = bulkActionNames[verb];
    const single = `users.${verb}`;
    const withChildren = (
      state: ApprovalState,
      of: (index: number) => ChildProgress,
    ): SampleBulk => {
      const children = manyUsers(samples).map(({ id, fullName, email }, index) => {
        const counted = of(index);
        return sampleApproval({
          action: single,
          payload: { id, fullName, email },
          subjectId: id,
          state: counted.state,
          wakeAt: counted.wakeAt,
          sent: counted.isSent ? [{ step: verb, attempt: 1 }] : [],
          outcome: counted.state === 'failed' ? safe(samples.problem, 500) : undefined,
        });
      });
      const tally = tallyOf(children.map((_, index) => of(index)));
      return { approval: { ...parentOf(samples, action, state), tally }, children };
    };
    const end = (state: ApprovalState, isSent = true) => ({ state, wakeAt: undefined, isSent });
    return [
      { approval: parentOf(samples, action, 'pending'), children: [] },
      { approval: parentOf(samples, action, 'denied'), children: [] },
      withChildren('approved', (index) =>
        index < 20
          ? end('completed')
          : { state: 'approved', wakeAt: addMinutes(at, 1), isSent: false },
      ),
      withChildren('failed', (index) =>
        index < 3 ? end('failed') : end('completed', index !== 10),
      ),
      withChildren('completed', () => end('completed')),
      ...(verb === 'delete'
        ? [
            withChildren('scheduled', (index) =>
              index === 0
                ? end('outcome_unknown')
                : { state: 'scheduled', wakeAt: addMinutes(at, 30), isSent: true },
            ),
            withChildren('canceled', () => end('canceled')),
          ]
        : []),
    ];
  });
}

function parentOf(samples: Samples, action: string, state: ApprovalState): Approval {
  const isDecided = state !== 'pending';
  const users = manyUsers(samples).map((user) => ({
    id: user.id,
    fullName: user.fullName,
    email: user.email,
    lastActivity: user.lastActivityTimestamp,
  }));
  return sampleApproval({
    action,
    payload: { count, users, graceMinutes: 30 },
    subjectId: 'hash',
    step: action.replace('users.bulk_', ''),
    snapshot: { users: [] },
    checks: [
      { label: 'one', result: 'passed', words: "requester isn't the target" },
      {
        label: 'not the last administrator',
        result: 'passed',
        words: 'another administrator remains',
        detail: '1 user',
      },
    ],
    tally: newTally(count),
    state,
    reason: samples.reason,
    requester: people.ana,
    channelId,
    requestedAt: at,
    expiresAt: addMinutes(at, 480),
    votes: isDecided ? [sampleVote(people.ben)] : [],
    decidedBy: isDecided ? people.ben : undefined,
    decidedAt: isDecided ? at : undefined,
    decisionReason: samples.denial,
    canceledBy: state === 'canceled' ? people.cleo : undefined,
  });
}
