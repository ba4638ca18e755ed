import { addDays } from 'date-fns/addDays';
import type { Approval } from '../../src/requests/approval.ts';
import type { ApprovalState } from '../../src/requests/approval-state.ts';
import { safe } from '../../src/slack/ui/mrkdwn.ts';
import { sampleNow as at, channelId, people } from '../features/sample-place.ts';
import type { Samples } from '../features/samples.ts';
import { sampleApproval, sampleVote } from './sample-approval.ts';

/** A request about the user of the samples, in a state. */
export function buildApproval(samples: Samples, action: string, state: ApprovalState): Approval {
  const { reason, problem } = samples;
  const [{ id, fullName = null, email = null }] = samples.users;
  const isDecided = !['pending', 'expired', 'voided'].includes(state);
  return sampleApproval({
    action,
    payload: { id, fullName, email, newFullName: samples.newFullName },
    snapshot: {
      id,
      email,
      fullName,
      isEnabled: true,
      isConfirmed: true,
      roles: null,
    },
    preview: [
      { label: 'State', value: 'enabled' },
      { label: 'Roles', value: samples.access.map(({ role }) => safe(role, 300)).join('; ') },
    ],
    checks: [
      {
        label: 'not the last administrator',
        result: 'not_checkable' as const,
        words: 'another administrator remains',
        detail: safe(problem, 300),
      },
      { label: 'one', result: 'passed' as const, words: "requester isn't this user" },
    ],
    reason,
    requester: people.ana,
    channelId,
    requestedAt: at,
    expiresAt: addDays(at, 1),
    state,
    step: stepIn(action, state),
    attempts: 1,
    // Sent for some states, so that both texts of an unknown outcome are rendered.
    sent: action === 'users.rename' ? [] : [{ step: stepIn(action, state), attempt: 1 }],
    canceledBy: state === 'canceled' ? people.cleo : undefined,
    votes: isDecided ? [sampleVote(people.ben)] : [],
    decidedBy: isDecided ? people.ben : undefined,
    decisionReason: samples.denial,
    decidedAt: isDecided ? at : undefined,
    wakeAt: at,
    // Belay's own text, in which quotes of the service are escaped already.
    outcome: ['completed', 'canceled', 'pending'].includes(state) ? undefined : safe(problem, 500),
    finishedAt: at,
  });
}

/** The only step; the last one of a deletion, once it waits for that or has ended. */
function stepIn(action: string, state: ApprovalState): string {
  if (action === 'setup.change') return 'save';
  if (action !== 'users.delete') return action.split('.').at(-1) ?? '';
  if (state === 'canceled') return 'cancel';
  return ['scheduled', 'completed', 'failed', 'outcome_unknown'].includes(state)
    ? 'delete'
    : 'disable';
}
