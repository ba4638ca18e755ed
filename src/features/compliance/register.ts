import type { Interaction } from '../../slack/interactions/interaction.ts';
import type { Listeners } from '../../slack/interactions/listeners.ts';
import type { Subcommand } from '../../slack/interactions/subcommand.ts';
import type { Message } from '../../slack/ui/blocks.ts';
import { unescapeMrkdwn } from '../../slack/ui/mrkdwn.ts';
import type { Service } from '../../workspace/open-service.ts';
import { findPolicy } from './find-policy.ts';
import { type Period, periods } from './history.ts';
import {
  type ListKnownPolicies,
  listAllPolicies,
  maxPolicies,
  type PolicyName,
  readAllCompliance,
  readCompliance,
} from './read-compliance.ts';
import {
  type HistoryDependencies,
  type HistoryInput,
  readListHistory,
  readPolicyHistory,
} from './read-history.ts';
import { complianceListMessage } from './views/compliance-list-message.ts';
import {
  compliancePager,
  menuActionId,
  periodActionId,
  periodValue,
  showActionId,
  showValue,
} from './views/ids.ts';
import {
  policiesNotListed,
  severalPoliciesMessage,
  unknownPolicyMessage,
  unlistedPolicyUnknownMessage,
} from './views/policy-choice.ts';
import { noStatisticsMessage, policyComplianceMessage } from './views/policy-compliance-message.ts';

/** How long a person waits for statistics. */
const timeoutMs = 8000;
const defaultPeriod = 7;

export function registerCompliance(
  listeners: Listeners,
  dependencies: ShowDependencies,
): Subcommand[] {
  const showList = async (call: Interaction, start: number, period?: Period) =>
    showAllCompliance(await openSource(call, period), start, dependencies);
  const showPolicy = async (call: Interaction, nameOrId: string, period?: Period) =>
    showPolicyCompliance(await openSource(call, period), nameOrId, dependencies);

  for (const actionId of [showActionId, menuActionId]) {
    listeners.action(
      actionId,
      showValue,
      async ({ value, ...call }) => ({ reply: await showPolicy(call, value.policyId) }),
      { isAnnounced: true },
    );
  }

  listeners.pages(compliancePager, ({ value, ...call }) =>
    showList(call, value.start, value.period),
  );

  for (const actionId of periods.map(periodActionId)) {
    listeners.action(
      actionId,
      periodValue,
      async ({ value, ...call }) => ({
        replace:
          'policyId' in value
            ? await showPolicy(call, value.policyId, value.period)
            : await showList(call, value.start, value.period),
      }),
      { isAnnounced: true },
    );
  }

  return [
    {
      name: 'compliance',
      usage: 'compliance [policy name or ID]',
      summary: 'Show policy compliance and its history (EBS volumes only)',
      details: [
        'History: the counts of the last 7, 30 or 90 days, read about once a day. A day without data shows –',
        '`/belay watch compliance Gold above 3` posts a message when more than 3 volumes are noncompliant',
      ],
      run(call) {
        const nameOrId = unescapeMrkdwn(call.text).trim();
        return nameOrId ? showPolicy(call, nameOrId) : showList(call, 0);
      },
    },
  ];
}

/** The service, and what is shown of the history. */
type Source = Pick<Service, 'client'> & HistoryInput & { teamId: string; signal: AbortSignal };

async function openSource(
  { teamId, person: { timeZone }, service }: Interaction,
  period: Period = defaultPeriod,
): Promise<Source> {
  const signal = AbortSignal.timeout(timeoutMs);
  const { client, connectionId } = await service();
  return { client, teamId, connectionId, signal, period, timeZone };
}

type ShowDependencies = HistoryDependencies & { listKnownPolicies: ListKnownPolicies };

/** The policies of the service, or those that Belay knows where the service lists none. */
async function readPolicies(
  { client, signal, ...of }: Source,
  { listKnownPolicies }: ShowDependencies,
): Promise<{ policies: PolicyName[]; isListed: boolean }> {
  const listed = await listAllPolicies(client, signal);
  return { policies: listed ?? (await listKnownPolicies(of)), isListed: listed !== undefined };
}

/**
 * The page whose first policy has the position `start`, from 0.
 * @throws ServiceError
 */
export async function showAllCompliance(
  source: Source,
  start: number,
  dependencies: ShowDependencies,
): Promise<Message> {
  const { policies, isListed } = await readPolicies(source, dependencies);
  if (!isListed && policies.length === 0) return policiesNotListed;
  const { client, signal } = source;
  const readings = await readAllCompliance(client, policies.slice(0, maxPolicies), signal);
  const history = await readListHistory(readings, source, dependencies);
  const unreadCount = policies.length - readings.length;
  return complianceListMessage(readings, { unreadCount, start, history, isListed });
}

/**
 * The compliance of the policy with this name or id, or suggestions.
 *
 * @throws ServiceError
 */
export async function showPolicyCompliance(
  source: Source,
  nameOrId: string,
  dependencies: ShowDependencies,
): Promise<Message> {
  const { policies, isListed } = await readPolicies(source, dependencies);
  const found = findPolicy(policies, nameOrId);
  switch (found.result) {
    case 'found': {
      const shown = await showPolicy(source, found.policy, dependencies);
      return shown ?? noStatisticsMessage(found.policy);
    }
    case 'several':
      return severalPoliciesMessage(nameOrId, found.policies);
    case 'none': {
      if (isListed) return unknownPolicyMessage(nameOrId, found.nearest);
      const shown = await showPolicy(source, { id: nameOrId, name: nameOrId }, undefined);
      return shown ?? unlistedPolicyUnknownMessage(nameOrId);
    }
  }
}

/**
 * Undefined if the service has no statistics of the policy. Without a history if Belay doesn't know the
 * policy, because then nobody reads it every day.
 */
async function showPolicy(
  source: Source,
  policy: PolicyName,
  dependencies: HistoryDependencies | undefined,
): Promise<Message | undefined> {
  const reading = await readCompliance(source.client, policy.id, source.signal);
  if (reading.outcome === 'failed') throw reading.error;
  if (reading.outcome === 'none') return undefined;
  const { statistics } = reading;
  const history =
    dependencies && (await readPolicyHistory(policy, statistics, source, dependencies));
  return policyComplianceMessage(policy, statistics, history);
}
