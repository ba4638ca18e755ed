import { cutMrkdwn, mention, moment, safe } from '../../slack/mrkdwn.ts';
import type { BoundAction } from './approvable-action.ts';
import type { Approval } from './approval.ts';

/** Who did what when, and what came of it: the last line of a request and of what its asker is told. */
export function stateLine(approval: Approval, action: BoundAction): string {
  const decision = decisionLine(approval);
  // Words of Belay's own: what they quote from the service is escaped already.
  const outcome = cutMrkdwn(approval.outcome ?? '', 500);
  switch (approval.state) {
    case 'pending':
      return 'Waiting for a decision.';
    case 'approved':
    case 'executing':
      return `${decision} Carrying it out…`;
    case 'scheduled':
      return `${decision} Not finished yet.`;
    case 'kept':
      return `${decision} ${outcome}`;
    case 'succeeded':
      return `${decision} Done: ${action.done}${outcome ? ` ${outcome}` : ''}`;
    case 'failed':
      return `${decision} It was not carried out. ${outcome}`;
    case 'outcome_unknown':
      return `${decision} It is not known whether it was carried out. ${outcome}`;
    case 'denied':
      return `${decision} Reason: ${safe(approval.decisionReason ?? 'none given', 500)}. Nothing was changed.`;
    case 'withdrawn':
      return `${decision} Nothing was changed.`;
    case 'expired':
      return `Expired ${moment(approval.expiresAt)} without a decision. Nothing was changed.`;
    case 'voided':
      return `No longer valid: ${outcome || 'the connection has changed.'} Nothing was changed.`;
  }
}

function decisionLine({ state, decidedBy, decidedAt }: Approval): string {
  if (!decidedBy || !decidedAt) return '';
  const verb = state === 'denied' ? 'Denied' : state === 'withdrawn' ? 'Withdrawn' : 'Approved';
  return `${verb} by ${mention(decidedBy)} ${moment(decidedAt)}.`;
}
