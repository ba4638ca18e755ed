import { guards } from '../../audit-log/registry.ts';
import type { Person } from '../../slack/api/person.ts';
import { mention } from '../../slack/ui/mrkdwn.ts';
import type { Service } from '../workspaces/index.ts';
import type { Check } from './approvable-action.ts';
import type { ApprovalRef, StoredCheck } from './approval.ts';
import type { FoundSubject } from './bound-action.ts';

/** Refuses a person who is, or may be, the subject of the request; undefined if they are not. */
export function subjectRefusal(
  isSubject: 'no' | 'yes' | 'unknown',
  { slackUserId }: Person,
): string | undefined {
  if (isSubject === 'no') return undefined;
  const who = mention(slackUserId);
  return isSubject === 'yes'
    ? `It is about ${who} themselves: the addresses are the same.`
    : `Belay cannot tell whether it is about ${who} themselves, because an e-mail address is missing in Slack or in the service.`;
}

/** The passed check that the requester is not the subject, as requests store it. */
export const requesterCheck: Check = {
  label: guards.notRequester.id,
  result: 'passed',
  words: "requester isn't the target",
};

export type GuardDependencies = {
  store: {
    subjectsUnderWay: (request: ApprovalRef & { connectionId: string }) => Promise<string[]>;
  };
};

/**
 * Runs the action's own guards on its subject as it was just read. `shown` are the checks that the
 * decision rests on: one that can't be made now is refused, unless approvers saw that it wasn't made.
 */
export async function runGuards(
  subject: FoundSubject,
  { teamId, id, service, shown }: ApprovalRef & { service: Service; shown?: StoredCheck[] },
  { store }: GuardDependencies,
): Promise<{ checks: Check[]; refused: { guard: Check['label']; why: string } | undefined }> {
  const { connectionId } = service;
  const subjectsUnderWay = await store.subjectsUnderWay({ teamId, id, connectionId });
  const checks = await subject.checks({ service, subjectsUnderWay });
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
  const why = `A check of the request can't be made any more: ${words}${detail ? ` (${detail})` : ''}.`;
  return { checks, refused: { guard: label, why } };
}
