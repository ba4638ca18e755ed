import { z } from 'zod';
import type { ServiceClient } from '../../../dataprotection/client.ts';
import { ServiceError } from '../../../dataprotection/http/errors.ts';
import { listNewestAlerts } from '../../../dataprotection/resources/alerts.ts';
import {
  createPolicy,
  type Policy,
  type PolicyDefinition,
  writablePolicy,
} from '../../../dataprotection/resources/policies.ts';
import type {
  ActionDefinition,
  Detail,
  RunResult,
  Step,
  StepDone,
} from '../../../requests/action.ts';
import {
  type ActionEntries,
  defineAction,
  openSameService,
} from '../../../requests/define-action.ts';
import { fitsRequestBody, formatRequestBody } from '../../../requests/views/request-body-modal.ts';
import { bold, code, readShown, stripMarkup } from '../../../slack/ui/mrkdwn.ts';
import { plural } from '../../../slack/ui/words.ts';
import { listAllPolicies, readCompliance } from '../../compliance/index.ts';
import { isSameValue } from '../difference/canonical.ts';
import { comparePolicies } from '../difference/compare-policies.ts';
import { countApprovals, overallWeight, type PolicyChange } from '../difference/policy-change.ts';
import {
  type CreatePayload,
  createPayload,
  type ReplacePayload,
  replacePayload,
  storedDefinitionSchema,
} from '../stored-policy.ts';
import {
  differenceSections,
  fitsDifference,
  formatDifference,
  listChanges,
  plainVerdicts,
} from '../views/format-difference.ts';
import { createFormButton, editButton, viewButton } from '../views/ids.ts';
import { findDeviations } from './is-as-approved.ts';
import { type PolicySubject, readCurrentPolicy, readPolicySubject } from './read-policy.ts';
import { describeChange, refuseUnshown, replaceStep, verified } from './replace-step.ts';

/** A creation changes nothing that exists, so only the request matters for the decision. */
const nothing = z.object({});

const create: ActionDefinition<CreatePayload, object, NewPolicySubject> = {
  name: 'policies.create',
  payload: createPayload,
  personalFields: { removed: [], replaced: [] },
  snapshot: nothing,
  describe(payload, { subjectId }) {
    const { after, body } = payload;
    return {
      // A new policy has no id yet. The step records the one that the service returns.
      subjectId: after.name,
      summary: `create policy ${bold(after.name, 120)}`,
      audited: auditedChange(payload, after.name),
      changes: () => sectionsOf(payload),
      warning: formatWarning(payload),
      style: 'primary',
      steps: [createStep(payload)],
      isShownExactly: () => isShownExactly(payload),
      requestBody: formatRequestBody(body),
      requestAgain: createFormButton,
      view:
        subjectId === undefined || subjectId === after.name
          ? undefined
          : viewButton({ id: subjectId }),
      open: openSameService,
      readSubject: (client) => readSameName(client, after.name),
      snapshotOf: () => ({}),
      differences: () => [],
    };
  },
};

const replace = replacing('replace');
const revert = replacing('revert');

/** What may be done to policies, each only after approval. */
export const policyActions = {
  'policies.create': defineAction(create),
  'policies.replace': defineAction(replace),
  'policies.revert': defineAction(revert),
} satisfies Partial<ActionEntries>;

function replacing(
  verb: 'replace' | 'revert',
): ActionDefinition<ReplacePayload, PolicyDefinition, PolicySubject> {
  const words = verb === 'replace' ? 'change' : 'revert a change to';
  return {
    name: `policies.${verb}`,
    payload: replacePayload,
    personalFields: { removed: [], replaced: [] },
    snapshot: storedDefinitionSchema,
    supersedes: ['policies.replace', 'policies.revert'],
    describe(payload, { id }) {
      const { policyId, before, body } = payload;
      return {
        subjectId: policyId,
        summary: `${words} policy ${bold(before.name, 120)}`,
        audited: auditedChange(payload, before.name),
        details: [{ label: 'Policy ID', value: code(policyId) }],
        changes: () => sectionsOf(payload),
        warning: formatWarning(payload),
        requiredApprovals: (settings) => countApprovals(changesIn(payload), settings),
        consequence: () => plainVerdicts[overallWeight(changesIn(payload))],
        style: 'primary',
        steps: [replaceStep(verb, payload, id)],
        isShownExactly: (seen) =>
          isSameValue(before, seen) &&
          readShown(code(policyId)) === policyId &&
          isShownExactly(payload),
        requestBody: formatRequestBody(body),
        requestAgain: editButton(policyId),
        view: viewButton({ id: policyId }),
        open: openSameService,
        readSubject: (client) => readPolicySubject(client, policyId),
        snapshotOf: ({ definition }) => definition,
        preview: (client, { policy }) => previewAffected(client, policy.id),
        differences: (seen, now) => [describeChange(seen, now)],
      };
    },
  };
}

type AnyPayload = CreatePayload & { before?: PolicyDefinition };

/** A second for 300 SLA sets, so the difference is computed once for all texts of a request. */
const changesByPayload = new WeakMap<AnyPayload, PolicyChange[]>();

function changesIn(payload: AnyPayload): PolicyChange[] {
  const known = changesByPayload.get(payload);
  if (known) return known;
  const changes = comparePolicies(payload.before, payload.after);
  changesByPayload.set(payload, changes);
  return changes;
}

function linesOf(payload: AnyPayload): string[] {
  return formatDifference(changesIn(payload));
}

function sectionsOf(payload: AnyPayload): string[] {
  return differenceSections(linesOf(payload));
}

function auditedChange(payload: AnyPayload, name: string) {
  return {
    subject: name,
    get changes() {
      return stripMarkup(linesOf(payload).join('\n'));
    },
  };
}

/** The lines say what changes, and the body, which a button shows, every character of it. */
function isShownExactly(payload: AnyPayload): boolean {
  return fitsDifference(linesOf(payload)) && fitsRequestBody(formatRequestBody(payload.body));
}

/** Services disagree on whether names are unique. */
function formatWarning({ after, before, sameName = [] }: AnyPayload): string | undefined {
  if (sameName.length === 0 || before?.name === after.name) return undefined;
  return `${plural(sameName.length, 'other policy already has', 'other policies already have')} this name.`;
}

const readMs = 4000;

/** What a change of the policy affects: its protected volumes and its active alerts. */
async function previewAffected(client: ServiceClient, policyId: string): Promise<Detail[]> {
  const [volumes, alerts] = await Promise.all([
    countVolumes(client, policyId),
    countAlerts(client, policyId),
  ]);
  return [
    { label: 'Protected EBS volumes', value: volumes },
    { label: 'Active alerts', value: alerts },
  ];
}

async function countVolumes(client: ServiceClient, policyId: string): Promise<string> {
  const count = await readOrNothing(async () => {
    const reading = await readCompliance(client, policyId, AbortSignal.timeout(readMs));
    return reading.outcome === 'read' ? reading.statistics.protectedCount : undefined;
  });
  return count === undefined ? 'unavailable' : String(count);
}

/** "at least 12" where the service is too slow for all of them. */
async function countAlerts(client: ServiceClient, policyId: string): Promise<string> {
  let count = 0;
  const isComplete = await readOrNothing(async () => {
    const signal = AbortSignal.timeout(readMs);
    const filter = { isCleared: false };
    for await (const { items } of listNewestAlerts(client, { filter, signal })) {
      const own = items.filter(({ parentEntity, primaryEntity }) =>
        [parentEntity?.id, primaryEntity?.id].includes(policyId),
      );
      count += own.length;
    }
    return true;
  });
  if (isComplete) return String(count);
  return count > 0 ? `at least ${count}` : 'unavailable';
}

/** A request shows what could be read: the decision doesn't rest on it. */
async function readOrNothing<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}

/** The client, and the policies that have the name now: undefined if the service lists none. */
type NewPolicySubject = { client: ServiceClient; sameName: Policy[] | undefined };

const listMs = 15_000;
const notListed =
  "The service doesn't list policies, so Belay can't check whether the policy was created.";

/** @throws {ServiceError} */
async function readSameName(client: ServiceClient, name: string): Promise<NewPolicySubject> {
  const policies = await listAllPolicies(client, AbortSignal.timeout(listMs));
  return { client, sameName: policies?.filter((policy) => policy.name === name) };
}

/**
 * Creates the policy, at most once: the service would create a second one. After an unknown outcome
 * Belay looks for exactly this policy, which was not there at the request.
 */
function createStep({
  after,
  body,
  sameName: before,
}: CreatePayload): Step<object, NewPolicySubject> {
  return {
    name: 'create',
    sendsOnce: true,
    done: `Policy ${bold(after.name, 120)} was created.`,
    async isDone(read) {
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
    async run(client) {
      const refused = refuseUnshown(client, { after, body });
      if (refused) return refused;
      const policy = await createPolicy(client, formatRequestBody(body));
      return verify(client, after, policy);
    },
  };
}

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
