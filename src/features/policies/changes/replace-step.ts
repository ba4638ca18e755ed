import { limitClient, type ServiceClient } from '../../../dataprotection/client.ts';
import { ConflictError, ServiceError } from '../../../dataprotection/http/errors.ts';
import {
  isLocked,
  type PolicyDefinition,
  type PolicyReplacement,
  policyRequestBody,
  replacePolicy,
} from '../../../dataprotection/resources/policies.ts';
import type { RunResult, Step } from '../../../requests/action.ts';
import { formatRequestBody } from '../../../requests/views/request-body-modal.ts';
import { bold, code, quoteInline } from '../../../slack/ui/mrkdwn.ts';
import { hasSameContent, isSameValue } from '../difference/canonical.ts';
import { comparePolicies } from '../difference/compare-policies.ts';
import type { ReplacePayload } from '../stored-policy.ts';
import { listChanges } from '../views/format-difference.ts';
import { revertButton } from '../views/ids.ts';
import { findDeviations, isReplaced } from './is-as-approved.ts';
import { type PolicySubject, readPolicySubject } from './read-policy.ts';

export const verified = 'Verified: the service shows exactly what was approved.';
const locked = 'Another change to the policy is in progress.';

/**
 * Replaces the policy, and follows the work of the service to its end. `revert` differs in words.
 * `requestId`: of the request whose change could be reverted later, once it is stored.
 */
export function replaceStep(
  name: 'replace' | 'revert',
  payload: ReplacePayload,
  requestId: string | undefined,
): Step<PolicyDefinition, PolicySubject> {
  const verb = name === 'replace' ? 'changed' : 'reverted';
  return {
    name,
    done: `Policy ${bold(payload.after.name, 120)} was ${verb}.`,
    async isDone(read) {
      const subject = await read();
      if (subject && isLocked(subject.policy)) return { state: 'busy', words: locked };
      if (!subject || !isReplaced(payload, subject.definition)) return { state: 'not-done' };
      return { state: 'done', words: verified };
    },
    run: (client, limits) => replace(client, payload, limits),
    undo: requestId === undefined ? undefined : revertButton(requestId),
  };
}

/**
 * The last reading comes right before the PUT, with nothing in between: a change that somebody makes
 * in that time is overwritten.
 */
async function replace(
  client: ServiceClient,
  payload: ReplacePayload,
  { everyMs, timeoutMs }: { everyMs: number; timeoutMs: number },
): Promise<RunResult> {
  const { policyId, body } = payload;
  const refused =
    refuseUnshown(client, payload) ?? refusalOf(payload, await readPolicySubject(client, policyId));
  if (refused) return refused;
  let replacement: PolicyReplacement;
  try {
    const shown = formatRequestBody(body);
    replacement = await replacePolicy(sendSoon(client), policyId, shown, { everyMs, timeoutMs });
  } catch (error) {
    if (error instanceof ReadingOutdatedError) {
      return { state: 'busy', words: "Belay couldn't send the change in time." };
    }
    if (!(error instanceof ConflictError)) throw error;
    return afterConflict(client, payload, error);
  }
  return verify(client, payload, replacement);
}

/** Why nothing may be sent; undefined if the request shows exactly what would be sent. */
export function refuseUnshown(
  client: ServiceClient,
  { after, body }: Pick<ReplacePayload, 'after' | 'body'>,
): RunResult | undefined {
  if (isSameValue(policyRequestBody(client, after), body)) return undefined;
  const words = "The request doesn't show exactly what would be sent. Submit the request again.";
  return { state: 'failed', words, stopReason: 'not_shown' };
}

/** How old the last reading may be when the PUT is sent, a repetition after a 429 included. */
const maxReadingAgeMs = 1000;

class ReadingOutdatedError extends Error {
  override name = 'ReadingOutdatedError';
}

/** The client, which from now on sends a PUT within `maxReadingAgeMs`, or not at all. */
function sendSoon(client: ServiceClient): ServiceClient {
  const readAt = performance.now();
  const outdated = new AbortController();
  const limited = limitClient(client, {
    signal: outdated.signal,
    beforeSend() {
      const isOutdated = performance.now() - readAt > maxReadingAgeMs;
      if (isOutdated) outdated.abort(new ReadingOutdatedError('the policy must be read again'));
    },
  });
  return {
    ...client,
    send: (request, schema) => (request.method === 'PUT' ? limited : client).send(request, schema),
  };
}

/** Why nothing may be sent now; undefined if the policy is unchanged since the request. */
function refusalOf(
  { before }: ReplacePayload,
  subject: PolicySubject | undefined,
): RunResult | undefined {
  if (!subject) return { state: 'changed', words: 'Somebody else deleted the policy.' };
  if (isLocked(subject.policy)) return { state: 'busy', words: locked };
  if (isSameValue(before, subject.definition)) return undefined;
  return { state: 'changed', words: describeChange(before, subject.definition) };
}

/** What changed since the request, in sentences. */
export function describeChange(before: PolicyDefinition, now: PolicyDefinition): string {
  const changes = comparePolicies(before, now);
  const what = changes.length > 0 ? listChanges(changes) : 'the order or spelling of fields';
  return `The policy was changed meanwhile: ${what}.`;
}

/** Nothing was changed. A service that doesn't say whether a policy is locked may mean that. */
async function afterConflict(
  client: ServiceClient,
  payload: ReplacePayload,
  { serviceMessage }: ConflictError,
): Promise<RunResult> {
  const subject = await readPolicySubject(client, payload.policyId);
  const refused = refusalOf(payload, subject);
  if (refused) return refused;
  const said = serviceMessage ? ` The service said: ${quoteInline(serviceMessage, 300)}.` : '';
  const words = `The service reported a conflict with another change.${said}`;
  const saysLock = subject?.policy.otherFields.lock_status !== undefined;
  return saysLock
    ? { state: 'failed', words: `${words} Nothing was changed.` }
    : { state: 'busy', words };
}

/** Reads the policy again: the response proves nothing. If that fails, the outcome is unknown. */
async function verify(
  client: ServiceClient,
  payload: ReplacePayload,
  replacement: PolicyReplacement,
): Promise<RunResult> {
  let subject: PolicySubject | undefined;
  try {
    subject = await readPolicySubject(client, payload.policyId);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return {
      state: 'unknown',
      words: `${describeAnswer(replacement)} Belay couldn't read the policy.`,
    };
  }
  const answer = describeAnswer(replacement);
  const stopReason = 'not_verified';
  if (!subject) {
    return { state: 'failed', words: `${answer} The policy no longer exists.`, stopReason };
  }
  if (isLocked(subject.policy) || replacement.outcome === 'still-running') {
    return { state: 'unknown', words: answer };
  }
  if (isReplaced(payload, subject.definition)) return { state: 'done', words: verified };
  const isUnchanged = hasSameContent(payload.before, subject.definition);
  // The task may still be running, so the change may still be made.
  if (isUnchanged && replacement.outcome === 'unconfirmed')
    return { state: 'unknown', words: answer };
  const shown = isUnchanged
    ? 'The policy is unchanged.'
    : `The policy doesn't match the approved change: ${listChanges(findDeviations(payload.after, subject.definition, payload.before))}.`;
  return { state: 'failed', words: `${answer} ${shown}`, stopReason };
}

function describeAnswer(replacement: PolicyReplacement): string {
  switch (replacement.outcome) {
    case 'replaced':
      return 'The service accepted the change.';
    case 'failed':
      return `The service couldn't complete the change: task ${code(replacement.task.id, 60)} failed.`;
    case 'aborted':
      return `The service didn't complete the change: task ${code(replacement.task.id, 60)} was aborted.`;
    case 'still-running':
      return `The service accepted the change and hasn't completed it yet: task ${code(replacement.taskId, 60)} is still running.`;
    case 'unconfirmed':
      return "The service accepted the change, but doesn't say whether it is complete.";
  }
}
