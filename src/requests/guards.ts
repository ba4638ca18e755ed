import { createHash } from 'node:crypto';
import { isSamePerson, mailboxOf } from '../mailbox.ts';
import type { Person } from '../slack/api/person.ts';
import { mention } from '../slack/ui/mrkdwn.ts';
import { mayRequestAction } from '../workspace/permissions.ts';
import { ruleOf } from '../workspace/rules.ts';
import type { WorkspaceSettings } from '../workspace/settings/document.ts';
import type { Action, Check, CheckContext, FoundSubject, SubjectMatch } from './action.ts';
import type { ApprovalRef, StoredCheck } from './approval.ts';

/** Refuses a person who is, or may be, the subject of the request; undefined if they are not. */
export function subjectRefusal(isSubject: SubjectMatch, person: Person): string | undefined {
  if (isSubject === 'no') return undefined;
  const who = mention(person.slackUserId);
  if (isSubject === 'yes') return `This request is about ${who}, so they can't approve or deny it.`;
  if (isSubject === 'erased') {
    return `The names in this request were erased, so Belay can't tell whether the request is about ${who}.`;
  }
  const missing = missingAddressRefusal(person);
  if (missing) return missing;
  return `The service shows no email address for this user, so Belay can't tell whether the request is about ${who}.`;
}

/** The same for somebody whose part needs no known address: only the subject is refused. */
export function knownSubjectRefusal(
  action: Pick<Action, 'isSubject'>,
  person: Person,
): string | undefined {
  if (action.isSubject(person) !== 'yes') return undefined;
  return subjectRefusal('yes', person);
}

/**
 * Refuses two Slack accounts that belong, or may belong, to one person. A missing address counts as
 * the same mailbox.
 */
export function samePersonRefusal(
  one: Person,
  other: Person,
): { reason: 'same_mailbox' | 'address_missing'; why: string } | undefined {
  const missing = missingAddressRefusal(one) ?? missingAddressRefusal(other);
  if (missing) return { reason: 'address_missing', why: missing };
  if (isSamePerson(one, other) === 'no') return undefined;
  const why = sharedMailbox(one.slackUserId, other.slackUserId);
  return { reason: 'same_mailbox', why };
}

/**
 * Why the person may not request the action, if its rule or roles limit who may. People who have left
 * the workspace are refused when the request runs. @throws GroupUnreadError
 */
export function operatorRefusal(
  requester: Person,
  settings: WorkspaceSettings,
  action: string,
): string | undefined {
  if (requester.membership !== 'member') return undefined;
  if (mayRequestAction(requester, settings, action)) return undefined;
  const { requesters } = ruleOf(settings.access.rules, action);
  if (requesters.length > 0) {
    return `The rule for this action doesn't let ${mention(requester.slackUserId)} request it.`;
  }
  return `${mention(requester.slackUserId)} isn't an operator in this workspace, and only operators can make requests.`;
}

/** For two Slack user ids. */
export function sharedMailbox(one: string, other: string): string {
  return `${mention(one)} and ${mention(other)} have the same mailbox, so they count as one person.`;
}

/** Refuses people whose address Slack doesn't show: Belay can't tell whether two of them are one. */
export function missingAddressRefusal({ slackUserId, email }: Person): string | undefined {
  if (mailboxOf(email) !== undefined) return undefined;
  return `Slack doesn't show Belay the email address of ${mention(slackUserId)}. Ask a Slack admin to check the address in that profile and the scope \`users:read.email\` of the Belay app.`;
}

/**
 * Recognizes an approver's mailbox among the approvals of one request, without storing an address. All
 * people without one count as the same.
 */
export function hashMailbox({ id }: Pick<ApprovalRef, 'id'>, { email }: Person): string {
  return createHash('sha256')
    .update(`${id} ${mailboxOf(email) ?? ''}`)
    .digest('base64url');
}

/** The passed check that the requester is not the subject, as requests store it. */
export const requesterCheck: Check = {
  label: 'requester_is_subject',
  result: 'passed',
  words: "requester isn't this user",
};

/**
 * Runs the action's own guards on its subject as it was just read. `shown` are the checks that the
 * decision rests on: one that can't be made now is refused, unless approvers saw that it wasn't made.
 */
export async function runGuards(
  subject: FoundSubject,
  { shown, ...known }: Omit<CheckContext, 'service'> & { shown?: StoredCheck[] },
): Promise<{ checks: Check[]; refused: { guard: Check['label']; why: string } | undefined }> {
  const checks = await subject.checks(known);
  const refused = checks.find(({ result }) => result === 'refused');
  if (refused) {
    const { label, detail } = refused;
    return { checks, refused: { guard: label, why: detail ?? `${label}: no.` } };
  }
  const isAccepted = ({ label }: Check) =>
    shown?.some((one) => one.label === label && one.result === 'not_checkable') ?? true;
  const unmade = checks.find((check) => check.result === 'not_checkable' && !isAccepted(check));
  if (!unmade) return { checks, refused: undefined };
  const { label, words = label, detail } = unmade;
  const why = `A check that had passed can no longer be made: ${words}${detail ? ` (${detail})` : ''}.`;
  return { checks, refused: { guard: label, why } };
}
