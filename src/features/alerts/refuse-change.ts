import type { RefusalReason } from '../../audit-log/registry.ts';
import type { Interaction } from '../../slack/interactions/interaction.ts';
import { type Message, notice } from '../../slack/ui/blocks.ts';
import { isApproverOrAdmin, mayRequest } from '../../workspace/permissions.ts';
import type { AlertContext } from './alert-context.ts';

const operators = { isAllowed: mayRequest, reason: 'not_operator' satisfies RefusalReason };
const approversAndAdmins = {
  isAllowed: isApproverOrAdmin,
  reason: 'not_approver_or_admin' satisfies RefusalReason,
};
const onlyOperators = notice(
  'Only operators can acknowledge, assign or snooze alerts. Nothing was changed. Ask an admin for the operator role.',
);

/** Without roles, every full member is an operator. */
const rights = {
  /** It can't be undone. */
  clear: {
    ...approversAndAdmins,
    action: 'alerts.clear',
    answer: notice(
      "Only approvers and admins can clear alerts, because clearing can't be undone. Nothing was changed. Ask one of them.",
    ),
  },
  note: {
    ...operators,
    action: 'alerts.note',
    answer: notice(
      'Only operators can change alert notes. Nothing was changed. Ask an admin for the operator role.',
    ),
  },
  own: { ...operators, action: 'alerts.own', answer: onlyOperators },
  snooze: { ...operators, action: 'alerts.snooze', answer: onlyOperators },
  /** An alert that somebody else owns. */
  release: {
    ...approversAndAdmins,
    action: 'alerts.own',
    answer: notice(
      'Only the owner of an alert, approvers and admins can release it. Nothing was changed.',
    ),
  },
} as const;
export type AlertRight = keyof typeof rights;

/** Logs the attempt and returns the answer if the person lacks the right; undefined if they have it. */
export async function refuseChange(
  { teamId, person, settings }: Interaction,
  right: AlertRight,
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
