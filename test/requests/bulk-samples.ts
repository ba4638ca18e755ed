import { addMinutes } from 'date-fns/addMinutes';
import { type BulkVerb, bulkVerbs } from '../../src/features/users/views/ids.ts';
import type { Approval, Run } from '../../src/requests/approval.ts';
import type { ApprovalState } from '../../src/requests/approval-state.ts';
import { safe } from '../../src/slack/ui/mrkdwn.ts';
import { sampleNow as at, channelId, people } from '../features/sample-place.ts';
import type { Samples } from '../features/samples.ts';
import { sampleApproval, sampleVote } from './sample-approval.ts';

const count = 50;

/** As many users as a request can have, each with its own id. */
export function manyUsers({ users: [user] }: Samples) {
  return Array.from({ length: count }, (_, index) => ({
    ...user,
    id: `${user.id.slice(0, 50)}${index}`,
  }));
}

type Progress = Pick<Run, 'state' | 'wakeAt'> & { isSent: boolean };

/** Requests about several users in states that differ in what their messages show. */
export function bulkRequests(samples: Samples): Approval[] {
  return bulkVerbs.flatMap((verb) => {
    const request = (state: ApprovalState, of: (index: number) => Progress): Approval => ({
      ...requestOf(samples, `users.${verb}`, state),
      runs: runsOf(samples, verb, of),
    });
    const end = (state: ApprovalState, isSent = true) => ({ state, wakeAt: undefined, isSent });
    const scheduled = { state: 'scheduled' as const, wakeAt: addMinutes(at, 30), isSent: true };
    return [
      request('pending', () => end('pending', false)),
      request('denied', () => end('denied', false)),
      request('approved', (index) =>
        index < 20
          ? end('completed')
          : { state: 'approved', wakeAt: addMinutes(at, 1), isSent: false },
      ),
      request('failed', (index) => (index < 3 ? end('failed') : end('completed', index !== 10))),
      request('completed', () => end('completed')),
      ...(verb === 'delete'
        ? [
            request('scheduled', (index) => (index === 0 ? end('outcome_unknown') : scheduled)),
            request('canceled', () => end('canceled')),
          ]
        : []),
    ];
  });
}

function runsOf(
  samples: Samples,
  verb: BulkVerb,
  of: (index: number) => Progress,
): Approval['runs'] {
  const lastAdministrator = {
    label: 'not the last administrator',
    result: 'passed' as const,
    words: 'another administrator remains',
  };
  const [first, ...others] = manyUsers(samples).map((user, index): Run => {
    const { state, wakeAt, isSent } = of(index);
    const { id, fullName, email, lastActivityTimestamp: lastActivity } = user;
    const [run] = sampleApproval({
      id,
      payload: { id, fullName, email, lastActivity, graceMinutes: 30 },
      subjectId: id,
      step: verb,
      state,
      wakeAt,
      checks: [
        { label: 'one', result: 'passed', words: "requester isn't this user" },
        // Made for one of them only.
        ...(index === 0 ? [lastAdministrator] : []),
      ],
      sent: isSent ? [{ step: verb, attempt: 1 }] : [],
      canceledBy: state === 'canceled' ? people.cleo : undefined,
      outcome: state === 'failed' ? safe(samples.problem, 500) : undefined,
    }).runs;
    return run;
  });
  if (!first) throw new Error('a request without users');
  return [first, ...others];
}

function requestOf(samples: Samples, action: string, state: ApprovalState): Approval {
  const isDecided = state !== 'pending';
  return sampleApproval({
    action,
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
  });
}
