import { guards } from '../../audit-log/registry.ts';
import type { Person } from '../../slack/api/person.ts';
import { mention } from '../../slack/ui/mrkdwn.ts';
import type { Check } from './approvable-action.ts';
import type { ApprovalRef } from './approval.ts';
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
  words: 'it is not about the person who asks',
};

export type GuardDependencies = {
  store: {
    subjectsUnderWay: (request: ApprovalRef & { connectionId: string }) => Promise<string[]>;
  };
};

/** Runs the action's own guards on its subject as it was just read. */
export async function runGuards(
  subject: FoundSubject,
  request: ApprovalRef & { connectionId: string },
  { store }: GuardDependencies,
): Promise<{ checks: Check[]; refused: { guard: Check['label']; why: string } | undefined }> {
  const checks = await subject.checks(await store.subjectsUnderWay(request));
  const refused = checks.find(({ result }) => result === 'refused');
  if (!refused) return { checks, refused: undefined };
  const { label, detail } = refused;
  return { checks, refused: { guard: label, why: detail ?? `${label}: no.` } };
}
