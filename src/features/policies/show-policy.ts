import type { ServiceClient } from '../../dataprotection/client.ts';
import { MethodNotAllowedError, NotFoundError } from '../../dataprotection/http/errors.ts';
import { type Policy, readPolicy } from '../../dataprotection/resources/policies.ts';
import { type Message, notice } from '../../slack/ui/blocks.ts';
import { code, safe } from '../../slack/ui/mrkdwn.ts';
import {
  findPolicy,
  listAllPolicies,
  type PolicyChoice,
  readCompliance,
  severalPoliciesMessage,
  unknownPolicyMessage,
} from '../compliance/index.ts';
import { notConnected } from '../workspaces/index.ts';
import { readMs, type ShowDependencies } from './show-policies.ts';
import type { KnownPolicy } from './store/policy-catalog.ts';
import { showActionId } from './views/ids.ts';
import { knownPolicyCard, policyCard } from './views/policy-message.ts';

const choice: PolicyChoice = {
  ...{ actionId: showActionId, command: 'policy', listCommand: 'policies' },
};

/**
 * The policy with this name or id, a choice if several match, or suggestions.
 * @throws ServiceError
 */
export async function showPolicy(
  teamId: string,
  nameOrId: string,
  dependencies: ShowDependencies,
): Promise<Message> {
  const service = await dependencies.openService(teamId);
  if (!service) return notConnected;
  const { client, connectionId } = service;
  const signal = AbortSignal.timeout(readMs);
  const policies = await listAllPolicies(client, signal);
  const known = policies ?? (await dependencies.policyCatalog.list({ teamId, connectionId }));
  const found = findPolicy<Policy | KnownPolicy>(known, nameOrId);
  switch (found.result) {
    case 'found':
      return 'slaSets' in found.policy
        ? showDefinition(client, found.policy, signal, dependencies)
        : showUnlisted(client, found.policy, signal, dependencies);
    case 'several':
      return severalPoliciesMessage(nameOrId, found.policies, choice);
    case 'none':
      return policies
        ? unknownPolicyMessage(nameOrId, found.nearest, choice)
        : showUnknown(client, nameOrId, signal, dependencies);
  }
}

/** The policy with this id, for buttons. @throws ServiceError */
export async function showPolicyById(
  teamId: string,
  policyId: string,
  dependencies: ShowDependencies,
): Promise<Message> {
  const service = await dependencies.openService(teamId);
  if (!service) return notConnected;
  const { client, connectionId } = service;
  const signal = AbortSignal.timeout(readMs);
  const policy = await readDefinition(client, policyId, signal);
  if (policy) return showDefinition(client, policy, signal, dependencies);
  if (await listAllPolicies(client, signal)) return goneMessage(policyId);
  const known = await dependencies.policyCatalog.list({ teamId, connectionId });
  const named = known.find(({ id }) => id === policyId);
  return named
    ? showUnlisted(client, named, signal, dependencies)
    : showUnknown(client, policyId, signal, dependencies);
}

async function showDefinition(
  client: ServiceClient,
  policy: Policy,
  signal: AbortSignal,
  { offersChanges: canEdit }: ShowDependencies,
): Promise<Message> {
  return policyCard({ policy, reading: await readCompliance(client, policy.id, signal), canEdit });
}

/** A policy of a service without a list, which may still return one by its id. */
async function showUnlisted(
  client: ServiceClient,
  known: KnownPolicy,
  signal: AbortSignal,
  dependencies: ShowDependencies,
): Promise<Message> {
  const policy = await readDefinition(client, known.id, signal);
  if (policy) return showDefinition(client, policy, signal, dependencies);
  return knownPolicyCard(known, await readCompliance(client, known.id, signal));
}

/** An unknown name or id on a service without a list: it may still be a valid id. */
async function showUnknown(
  client: ServiceClient,
  nameOrId: string,
  signal: AbortSignal,
  dependencies: ShowDependencies,
): Promise<Message> {
  const policy = await readDefinition(client, nameOrId, signal);
  if (policy) return showDefinition(client, policy, signal, dependencies);
  const reading = await readCompliance(client, nameOrId, signal);
  const known = { id: nameOrId, name: nameOrId };
  return reading.outcome === 'read' ? knownPolicyCard(known, reading) : unlistedMessage(nameOrId);
}

/** Undefined if there is none, or the service returns no definitions. */
export async function readDefinition(client: ServiceClient, policyId: string, signal: AbortSignal) {
  try {
    return await readPolicy(client, policyId, { signal });
  } catch (error) {
    if (error instanceof NotFoundError || error instanceof MethodNotAllowedError) return undefined;
    throw error;
  }
}

function goneMessage(policyId: string): Message {
  return notice(
    `Not found: the policy with the ID ${code(policyId)} was deleted or moved to another organizational unit.`,
  );
}

function unlistedMessage(nameOrId: string): Message {
  return notice(
    `No policy has the name or ID “${safe(nameOrId, 100)}”. This service doesn't list its policies. Use the ID, or add the policy with \`/belay policies add [policy ID] [name]\`.`,
  );
}
