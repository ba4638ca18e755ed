import type { ServiceClient } from '../../dataprotection/client.ts';
import { offersOperation } from '../../dataprotection/dialects/find-operation.ts';
import { MethodNotAllowedError, NotFoundError } from '../../dataprotection/http/errors.ts';
import { type Policy, readPolicy } from '../../dataprotection/resources/policies.ts';
import type { Interaction } from '../../slack/interactions/interaction.ts';
import { type Message, notice } from '../../slack/ui/blocks.ts';
import { code, safe } from '../../slack/ui/mrkdwn.ts';
import { offersTo } from '../../workspace/call.ts';
import {
  findPolicy,
  listAllPolicies,
  type PolicyChoice,
  readCompliance,
  severalPoliciesMessage,
  unknownPolicyMessage,
} from '../compliance/index.ts';
import { readCurrentPolicy } from './changes/read-policy.ts';
import { readMs } from './show-policies.ts';
import type { KnownPolicy, PolicyCatalog } from './store/policy-catalog.ts';
import { showActionId } from './views/ids.ts';
import { knownPolicyCard, policyCard } from './views/policy-message.ts';

const choice: PolicyChoice = {
  actionId: showActionId,
  command: 'policy',
  listCommand: 'policies',
};

/** What a policy is read from, within the time that a person waits. */
type Source = {
  client: ServiceClient;
  signal: AbortSignal;
  /** The policies that Belay knows, which matter where the service lists none. */
  listKnown: () => Promise<KnownPolicy[]>;
  /** Whether the reader may request a change. */
  canEdit: boolean;
};

/**
 * The policy with this name or id, a choice if several match, or suggestions. `showFound` shows something
 * else of the policy.
 * @throws ServiceError
 */
export async function showPolicy(
  call: Interaction,
  nameOrId: string,
  catalog: Pick<PolicyCatalog, 'list'>,
  showFound?: (policyId: string) => Promise<Message>,
): Promise<Message> {
  const source = await openSource(call, catalog);
  const policies = await listAllPolicies(source.client, source.signal);
  const found = findPolicy<Policy | KnownPolicy>(policies ?? (await source.listKnown()), nameOrId);
  switch (found.result) {
    case 'found':
      if (showFound) return showFound(found.policy.id);
      return 'slaSets' in found.policy
        ? showDefinition(source, found.policy)
        : showUnlisted(source, nameOrId, found.policy);
    case 'several':
      return severalPoliciesMessage(nameOrId, found.policies, choice);
    case 'none':
      return policies
        ? unknownPolicyMessage(nameOrId, found.nearest, choice)
        : showUnlisted(source, nameOrId, undefined);
  }
}

/** The policy with this id, for buttons. @throws ServiceError */
export async function showPolicyById(
  call: Interaction,
  policyId: string,
  catalog: Pick<PolicyCatalog, 'list'>,
): Promise<Message> {
  const source = await openSource(call, catalog);
  const current = await readCurrentPolicy(source.client, policyId, source.signal);
  switch (current.result) {
    case 'found':
      return showDefinition(source, current.policy);
    case 'gone':
      return goneMessage(policyId);
    case 'not-offered': {
      const known = (await source.listKnown()).find(({ id }) => id === policyId);
      return showStatistics(source, policyId, known);
    }
  }
}

async function openSource(
  call: Interaction,
  catalog: Pick<PolicyCatalog, 'list'>,
): Promise<Source> {
  const { client, connectionId } = await call.service();
  const listKnown = () => catalog.list({ teamId: call.teamId, connectionId });
  const canEdit = await offersTo(call, 'policies.replace');
  return { client, signal: AbortSignal.timeout(readMs), listKnown, canEdit };
}

async function showDefinition(
  { client, signal, canEdit }: Source,
  policy: Policy,
): Promise<Message> {
  const [reading, hasVolumes] = await Promise.all([
    readCompliance(client, policy.id, signal),
    offersOperation(client, 'listVolumes', { signal }),
  ]);
  return policyCard(policy, reading, { canEdit, hasVolumes });
}

/** A policy of a service without a list, which may still return one by its id: `known`, or any id. */
async function showUnlisted(
  source: Source,
  nameOrId: string,
  known: KnownPolicy | undefined,
): Promise<Message> {
  const policy = await readDefinition(source, known?.id ?? nameOrId);
  return policy ? showDefinition(source, policy) : showStatistics(source, nameOrId, known);
}

/** The same for a policy whose definition the service doesn't return. */
async function showStatistics(
  { client, signal }: Source,
  nameOrId: string,
  known: KnownPolicy | undefined,
): Promise<Message> {
  const policy = known ?? { id: nameOrId, name: nameOrId };
  const reading = await readCompliance(client, policy.id, signal);
  const isThere = known !== undefined || reading.outcome === 'read';
  return isThere ? knownPolicyCard(policy, reading) : unlistedMessage(nameOrId);
}

/** Undefined if there is none, or the service returns no definitions. */
export async function readDefinition(
  { client, signal }: Pick<Source, 'client' | 'signal'>,
  policyId: string,
): Promise<Policy | undefined> {
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
