import { z } from 'zod';
import type { PolicyDefinition } from '../../../dataprotection/resources/policies.ts';
import { bold, code, readShown, stripMarkup } from '../../../slack/ui/mrkdwn.ts';
import { plural } from '../../../slack/ui/words.ts';
import {
  type ActionEntries,
  type ApprovableAction,
  defineAction,
  fitsRequestBody,
  formatRequestBody,
  openSameService,
} from '../../approvals/index.ts';
import { isSameValue } from '../difference/canonical.ts';
import { comparePolicies } from '../difference/compare-policies.ts';
import { countApprovals, overallWeight, type PolicyChange } from '../difference/policy-change.ts';
import { storedDefinitionSchema } from '../stored-policy.ts';
import {
  differenceSections,
  fitsDifference,
  formatDifference,
  plainVerdicts,
} from '../views/format-difference.ts';
import { createFormButton, editButton, viewButton } from '../views/ids.ts';
import { createStep, type NewPolicySubject, readSameName } from './create-step.ts';
import { previewAffected } from './preview-change.ts';
import { type PolicySubject, readPolicySubject } from './read-subject.ts';
import { describeChange, replaceStep } from './replace-step.ts';
import {
  type CreatePayload,
  createPayload,
  type ReplacePayload,
  replacePayload,
} from './stored-change.ts';

/** A creation changes nothing that exists, so only the request matters for the decision. */
const nothing = z.object({});

const create: ApprovableAction<CreatePayload, object, NewPolicySubject> = {
  name: 'policies.create',
  open: openSameService,
  payload: createPayload,
  personalFields: { removed: [], replaced: [] },
  snapshot: nothing,
  // A new policy has no id yet. The step records the one that the service returns.
  subjectId: ({ after }) => after.name,
  summary: ({ after }) => `create policy ${bold(after.name, 120)}`,
  audited: (payload) => auditedChange(payload, payload.after.name),
  details: () => [],
  changes: sectionsOf,
  warning: formatWarning,
  style: 'primary',
  steps: () => [createStep],
  isShownExactly,
  requestBody: ({ body }) => formatRequestBody(body),
  requestAgain: () => createFormButton,
  view: ({ after }, { subjectId }) =>
    subjectId === undefined || subjectId === after.name ? undefined : viewButton({ id: subjectId }),
  readSubject: (client, { after }) => readSameName(client, after.name),
  snapshotOf: () => ({}),
  preview: async () => [],
  differences: () => [],
  checks: async () => [],
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
): ApprovableAction<ReplacePayload, PolicyDefinition, PolicySubject> {
  const words = verb === 'replace' ? 'change' : 'revert a change to';
  return {
    name: `policies.${verb}`,
    open: openSameService,
    payload: replacePayload,
    personalFields: { removed: [], replaced: [] },
    snapshot: storedDefinitionSchema,
    subjectId: ({ policyId }) => policyId,
    summary: ({ before }) => `${words} policy ${bold(before.name, 120)}`,
    audited: (payload) => auditedChange(payload, payload.before.name),
    details: ({ policyId }) => [{ label: 'Policy ID', value: code(policyId) }],
    changes: sectionsOf,
    warning: formatWarning,
    requiredApprovals: (payload, settings) => countApprovals(changesIn(payload), settings),
    consequence: (payload) => plainVerdicts[overallWeight(changesIn(payload))],
    style: 'primary',
    steps: () => [replaceStep(verb)],
    isShownExactly: (payload, seen) =>
      isSameValue(payload.before, seen) &&
      readShown(code(payload.policyId)) === payload.policyId &&
      isShownExactly(payload),
    requestBody: ({ body }) => formatRequestBody(body),
    requestAgain: ({ policyId }) => editButton(policyId),
    view: ({ policyId }) => viewButton({ id: policyId }),
    readSubject: (client, { policyId }) => readPolicySubject(client, policyId),
    snapshotOf: ({ definition }) => definition,
    supersedes: ['policies.replace', 'policies.revert'],
    preview: (client, { policy }) => previewAffected(client, policy.id),
    differences: (before, now) => [describeChange(before, now)],
    checks: async () => [],
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
