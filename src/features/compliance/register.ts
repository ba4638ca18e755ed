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
import { type HistoryDependencies, readListHistory, readPolicyHistory } from './read-history.ts';
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
} from './views/policy-choice-message.ts';
import { noStatisticsMessage, policyComplianceMessage } from './views/policy-compliance-message.ts';

/** How long a person waits for statistics. */
const timeoutMs = 8000;
const defaultPeriod = 7;

export function registerCompliance(
  listeners: Listeners,
  dependencies: ShowDependencies,
): Subcommand[] {
  async function show(
    { teamId, person, service }: Interaction,
    period: Period | undefined,
    read: (service: Service & { teamId: string }, input: ShowInput) => Promise<Message>,
  ): Promise<Message> {
    const signal = AbortSignal.timeout(timeoutMs);
    return read(
      { ...(await service()), teamId },
      { signal, period: period ?? defaultPeriod, timeZone: person.timeZone },
    );
  }
  const showList = (call: Interaction, start: number, period?: Period) =>
    show(call, period, (service, input) => showAllCompliance(service, start, input, dependencies));
  const showPolicy = (call: Interaction, nameOrId: string, period?: Period) =>
    show(call, period, (service, input) =>
      showPolicyCompliance(service, nameOrId, input, dependencies),
    );

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

type ShowInput = {
  signal: AbortSignal;
  /** Of the history. */
  period: Period;
  /** The person's. */
  timeZone: string | undefined;
};

type ShowDependencies = HistoryDependencies & { listKnownPolicies: ListKnownPolicies };

type ReadFrom = Pick<Service, 'client' | 'connectionId'> & { teamId: string };

/**
 * The page whose first policy has the position `start`, from 0.
 * @throws ServiceError
 */
export async function showAllCompliance(
  { client, teamId, connectionId }: ReadFrom,
  start: number,
  { signal, ...shown }: ShowInput,
  dependencies: ShowDependencies,
): Promise<Message> {
  const listed = await listAllPolicies(client, signal);
  const policies = listed ?? (await dependencies.listKnownPolicies({ teamId, connectionId }));
  if (!listed && policies.length === 0) return policiesNotListed;
  const readings = await readAllCompliance(client, policies.slice(0, maxPolicies), signal);
  const history = await readListHistory(readings, { connectionId, ...shown }, dependencies);
  const unreadCount = policies.length - readings.length;
  return complianceListMessage(readings, {
    unreadCount,
    start,
    history,
    isListed: listed !== undefined,
  });
}

/**
 * The compliance of the policy with this name or id, or suggestions.
 *
 * @throws ServiceError
 */
export async function showPolicyCompliance(
  service: ReadFrom,
  nameOrId: string,
  input: ShowInput,
  dependencies: ShowDependencies,
): Promise<Message> {
  const { client, teamId, connectionId } = service;
  const { signal } = input;
  const listed = await listAllPolicies(client, signal);
  const policies = listed ?? (await dependencies.listKnownPolicies({ teamId, connectionId }));
  const found = findPolicy(policies, nameOrId);
  switch (found.result) {
    case 'found': {
      const shown = await showPolicy(service, found.policy, input, dependencies);
      return shown ?? noStatisticsMessage(found.policy);
    }
    case 'several':
      return severalPoliciesMessage(nameOrId, found.policies);
    case 'none': {
      if (listed) return unknownPolicyMessage(nameOrId, found.nearest);
      const policy = { id: nameOrId, name: nameOrId };
      const shown = await showPolicy(service, policy, input, undefined);
      return shown ?? unlistedPolicyUnknownMessage(nameOrId);
    }
  }
}

/**
 * Undefined if the service has no statistics of the policy. Without a history if Belay doesn't know the
 * policy, because then nobody reads it every day.
 */
async function showPolicy(
  { client, connectionId }: ReadFrom,
  policy: PolicyName,
  { signal, ...shown }: ShowInput,
  dependencies: HistoryDependencies | undefined,
): Promise<Message | undefined> {
  const reading = await readCompliance(client, policy.id, signal);
  if (reading.outcome === 'failed') throw reading.error;
  if (reading.outcome === 'none') return undefined;
  const { statistics } = reading;
  const input = { connectionId, ...shown };
  const history =
    dependencies && (await readPolicyHistory(policy, statistics, input, dependencies));
  return policyComplianceMessage(policy, statistics, history);
}
