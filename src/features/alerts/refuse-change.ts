import type { RefusalReason } from '../../audit-log/registry.ts';
import type { Interaction } from '../../slack/interactions/interaction.ts';
import { type Message, notice } from '../../slack/ui/blocks.ts';
import { isApproverOrAdmin, mayRequest } from '../../workspace/permissions.ts';
import type { AlertContext } from './alert-context.ts';

const noOperator: RefusalReason = 'not_operator';
const noApproverOrAdmin: RefusalReason = 'not_approver_or_admin';
const notOperator = { isAllowed: mayRequest, reason: noOperator };
const notTrusted = { isAllowed: isApproverOrAdmin, reason: noApproverOrAdmin };
const onlyOperators = notice(
  'Only operators can acknowledge, assign or snooze alerts. Nothing was changed. Ask an admin for the operator role.',
);

/** Without roles, every full member is an operator. */
const rights = {
  /** It can't be undone. */
  clear: {
    ...notTrusted,
    action: 'alerts.clear',
    answer: notice(
      "Only approvers and admins can clear alerts, because clearing can't be undone. Nothing was changed. Ask one of them.",
    ),
  },
  note: {
    ...notOperator,
    action: 'alerts.note',
    answer: notice(
      'Only operators can change alert notes. Nothing was changed. Ask an admin for the operator role.',
    ),
  },
  own: { ...notOperator, action: 'alerts.own', answer: onlyOperators },
  snooze: { ...notOperator, action: 'alerts.snooze', answer: onlyOperators },
  /** An alert that somebody else owns. */
  release: {
    ...notTrusted,
    action: 'alerts.own',
    answer: notice(
      'Only the owner of an alert, approvers and admins can release it. Nothing was changed.',
    ),
  },
} as const;

/** What to answer to somebody who may not do this, whose attempt is logged. */
export async function refuseChange(
  { teamId, person, settings }: Interaction,
  right: keyof typeof rights,
  { store, clock }: AlertContext,
  alertId?: string,
): Promise<Message | undefined> {
  const { isAllowed, reason, action, answer } = rights[right];
  if (isAllowed(person, await settings())) return undefined;
  await store.log({
    teamId,
    at: clock(),
    event: 'refused',
    actor: person.slackUserId,
    action,
    subjectId: alertId,
    facts: alertId === undefined ? { reason } : { alertId, reason },
  });
  return answer;
}
