import type { ServiceClient } from '../../../dataprotection/client.ts';
import {
  type Policy,
  type PolicyDefinition,
  policyRequestBody,
  writablePolicy,
} from '../../../dataprotection/resources/policies.ts';
import type { Approvals } from '../../../requests/approvals.ts';
import { offersBreakGlass } from '../../../requests/break-glass/break-glass-right.ts';
import type { PreparedAction } from '../../../requests/define-action.ts';
import { requirementsOf } from '../../../requests/rules/requirements.ts';
import { notRequestedMessage } from '../../../requests/views/request-fields.ts';
import type { Interaction } from '../../../slack/interactions/interaction.ts';
import type { Message } from '../../../slack/ui/blocks.ts';
import { maxIdLength } from '../../../slack/ui/codec.ts';
import { bold } from '../../../slack/ui/mrkdwn.ts';
import type { Service } from '../../../workspace/open-service.ts';
import { listAllPolicies } from '../../compliance/index.ts';
import { hasSameContent, isSameValue } from '../difference/canonical.ts';
import { comparePolicies } from '../difference/compare-policies.ts';
import { countApprovals } from '../difference/policy-change.ts';
import { isStorable, type ReplacePayload } from '../stored-policy.ts';
import { cannotReadPolicies } from '../views/draft-modals.ts';
import type { RequestPreview } from '../views/request-modals.ts';
import { policyActions } from './policy-actions.ts';
import { readCurrentPolicy, subjectOf } from './read-policy.ts';
import { describeChange } from './replace-step.ts';

/** A change as its form was submitted. `before` is the policy that the form showed. */
export type PolicyChangeInput = {
  call: Pick<Interaction, 'teamId' | 'person' | 'slack' | 'service' | 'settings'> & {
    viewId: string;
  };
  channelId: string | undefined;
  reason: string;
  /** True to make it now, without approval. */
  isBreakGlass?: boolean | undefined;
  /** Called once the request is there. */
  onRequested?: () => Promise<void>;
  change:
    | { kind: 'create'; after: PolicyDefinition }
    | {
        kind: 'replace';
        policyId: string;
        before: Policy;
        after: PolicyDefinition;
        /** The request whose change this one undoes. */
        undoes?: string;
      };
};

type Prepared = { prepared: PreparedAction } | { refusal: string };

const readMs = 10_000;

/** What a form shows of a change before it is requested. */
export async function previewChange(
  call: Pick<Interaction, 'teamId' | 'person' | 'slack' | 'settings'>,
  {
    action,
    before,
    after,
  }: {
    action: keyof typeof policyActions;
    before: PolicyDefinition | undefined;
    after: PolicyDefinition;
  },
  approvals: Approvals,
): Promise<RequestPreview> {
  const settings = await call.settings();
  const changes = comparePolicies(before, after);
  const required = countApprovals(changes, settings);
  return {
    changes,
    approvals: requirementsOf(action, settings, required).requiredApprovals,
    warning: await approvals.warnOfRefusal(call, { action, required }),
    mayBreakGlass: offersBreakGlass(call.person, settings, action),
  };
}

/** Reads the policy again, because the form may be outdated or forged, and requests approval. */
export async function submitPolicyChange(
  { call, change, ...request }: PolicyChangeInput,
  approvals: Approvals,
): Promise<Message> {
  const result = await prepareChange(change, await call.service());
  if ('refusal' in result) {
    return notRequestedMessage(`${result.refusal} No request was sent.`, request.reason);
  }
  return approvals.request(call, { ...request, prepared: result.prepared });
}

async function prepareChange(
  change: PolicyChangeInput['change'],
  service: Service,
): Promise<Prepared> {
  const { client } = service;
  const after = writablePolicy(client, change.after);
  const problem = problemWith(after);
  if (problem) return { refusal: problem };
  const body = policyRequestBody(client, after);
  if (change.kind === 'create') {
    const sameName = await findSameName(client, after.name);
    const { prepare } = policyActions['policies.create'];
    const payload = { after, body, ...(sameName && { sameName }) };
    return checkShown(prepare(payload, { client, sameName: undefined }, service));
  }

  const { policyId, undoes } = change;
  if (policyId.length > maxIdLength) {
    return { refusal: `The ID of policy ${bold(after.name, 120)} is too long for Slack.` };
  }
  const current = await readCurrentPolicy(client, policyId);
  if (current.result === 'not-offered') return { refusal: cannotReadPolicies };
  if (current.result === 'gone') {
    return { refusal: `Policy ${bold(change.before.name, 120)} no longer exists.` };
  }
  const subject = subjectOf(client, current.policy);
  const before = writablePolicy(client, change.before);
  if (!isStorable(before)) return { refusal: notStorable(before) };
  if (!isSameValue(before, subject.definition)) {
    return { refusal: `${describeChange(before, subject.definition)} Open the policy again.` };
  }
  if (hasSameContent(before, after)) {
    return { refusal: `This request wouldn't change policy ${bold(before.name, 120)}.` };
  }
  const sameName =
    before.name === after.name ? undefined : await findSameName(client, after.name, policyId);
  const payload: ReplacePayload = {
    policyId,
    before,
    after,
    body,
    ...(sameName && { sameName }),
    ...(undoes !== undefined && { undoes }),
  };
  const { prepare } = policyActions[undoes === undefined ? 'policies.replace' : 'policies.revert'];
  return checkShown(prepare(payload, subject, service));
}

/** Why a policy can't be sent in any dialect, or stored by Belay. */
function problemWith(after: PolicyDefinition): string | undefined {
  if (after.name.trim() === '') return 'A policy needs a name.';
  if (after.slaSets.length === 0) return 'A policy needs at least one schedule.';
  return isStorable(after) ? undefined : notStorable(after);
}

function notStorable({ name }: PolicyDefinition): string {
  return `Policy ${bold(name, 120)} contains characters or numbers that Belay can't store unchanged. Change the policy in the service's portal.`;
}

/** The ids of other policies with this name; undefined if the service lists none. */
async function findSameName(
  client: ServiceClient,
  name: string,
  exceptId?: string,
): Promise<string[] | undefined> {
  const policies = await listAllPolicies(client, AbortSignal.timeout(readMs));
  return policies
    ?.filter((policy) => policy.name === name && policy.id !== exceptId)
    .map(({ id }) => id);
}

function checkShown(prepared: PreparedAction): Prepared {
  if (prepared.action.isShownExactly()) return { prepared };
  return {
    refusal:
      "The change is too large to show to approvers in full. Split the change into several requests, or make the change in the service's portal.",
  };
}
