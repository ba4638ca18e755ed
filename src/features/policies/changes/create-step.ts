import { stopReasons } from '../../../audit-log/registry.ts';
import type { ServiceClient } from '../../../dataprotection/client.ts';
import { ServiceError } from '../../../dataprotection/http/errors.ts';
import {
  createPolicy,
  type Policy,
  policyRequestBody,
  writablePolicy,
} from '../../../dataprotection/resources/policies.ts';
import { bold, code } from '../../../slack/ui/mrkdwn.ts';
import {
  formatRequestBody,
  type RunResult,
  type Step,
  type StepDone,
} from '../../approvals/index.ts';
import { listAllPolicies } from '../../compliance/index.ts';
import { isSameValue } from '../difference/canonical.ts';
import { listChanges } from '../views/format-difference.ts';
import { findDeviations } from './is-as-approved.ts';
import { readCurrentPolicy } from './read-current-policy.ts';
import { verified } from './replace-step.ts';
import type { CreatePayload } from './stored-change.ts';

/** The client, and the policies that have the name now: undefined if the service lists none. */
export type NewPolicySubject = { client: ServiceClient; sameName: Policy[] | undefined };

const listMs = 15_000;
const notListed =
  "The service doesn't list policies, so Belay can't check whether the policy was created.";

/** @throws {ServiceError} */
export async function readSameName(client: ServiceClient, name: string): Promise<NewPolicySubject> {
  const policies = await listAllPolicies(client, AbortSignal.timeout(listMs));
  return { client, sameName: policies?.filter((policy) => policy.name === name) };
}

/**
 * Creates the policy, at most once: the service would create a second one. After an unknown outcome
 * Belay looks for exactly this policy, which was not there at the request.
 */
export const createStep: Step<CreatePayload, object, NewPolicySubject> = {
  name: 'create',
  sendsOnce: true,
  done: ({ after }) => `Policy ${bold(after.name, 120)} was created.`,
  async isDone(read, { after, sameName: before }) {
    const subject = await read();
    if (!subject?.sameName || !before) return { state: 'unknown', words: notListed };
    const { client } = subject;
    const found = subject.sameName.filter(
      (policy) =>
        !before.includes(policy.id) &&
        findDeviations(after, writablePolicy(client, policy)).length === 0,
    );
    const [only, another] = found;
    if (another) {
      const words = 'The service has several new policies with this content.';
      return { state: 'unknown', words };
    }
    return only ? created(only, verified) : { state: 'not-done' };
  },
  async run(client, { after, body }) {
    if (!isSameValue(policyRequestBody(client, after), body)) {
      const words =
        "The request doesn't show exactly what would be sent. Submit the request again.";
      return { state: 'failed', words, stopReason: stopReasons.notShown.id };
    }
    const policy = await createPolicy(client, formatRequestBody(body));
    return verify(client, after, policy);
  },
};

/** The policy exists by now, whatever the second reading returns. */
async function verify(
  client: ServiceClient,
  after: CreatePayload['after'],
  policy: Policy,
): Promise<RunResult> {
  try {
    const current = await readCurrentPolicy(client, policy.id);
    if (current.result === 'gone') {
      return created(policy, "Not verified: the service doesn't show the new policy yet.");
    }
    if (current.result === 'not-offered') {
      return created(policy, "Not verified: the service doesn't list policies.");
    }
    const changes = findDeviations(after, writablePolicy(client, current.policy));
    if (changes.length === 0) return created(policy, verified);
    return created(
      policy,
      `The policy doesn't match the approved change: ${listChanges(changes)}.`,
    );
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return created(policy, "Not verified: Belay couldn't read the new policy.");
  }
}

function created({ id }: Policy, words: string): StepDone {
  return { state: 'done', words: `Policy ID: ${code(id, 60)}. ${words}`, createdId: id };
}
