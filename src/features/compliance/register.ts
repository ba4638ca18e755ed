import type { Interaction } from '../../slack/listeners/interaction.ts';
import type { Listeners } from '../../slack/listeners/listeners.ts';
import type { Subcommand } from '../../slack/listeners/subcommand.ts';
import type { Message } from '../../slack/ui/blocks.ts';
import { unescapeMrkdwn } from '../../slack/ui/mrkdwn.ts';
import { notConnected, type OpenService, type Service } from '../workspaces/index.ts';
import { type Period, periods } from './history.ts';
import {
  type ShowDependencies,
  type ShowInput,
  showAllCompliance,
  showPolicyCompliance,
} from './show-compliance.ts';
import {
  compliancePager,
  menuActionId,
  periodActionId,
  periodValue,
  showActionId,
  showValue,
} from './views/ids.ts';

/** How long a person waits for statistics. */
const timeoutMs = 8000;
const defaultPeriod = 7;

export function registerCompliance(
  listeners: Listeners,
  { openService, ...dependencies }: ShowDependencies & { openService: OpenService },
): Subcommand[] {
  async function show(
    { teamId, person, connection }: Interaction,
    period: Period | undefined,
    read: (service: Service & { teamId: string }, input: ShowInput) => Promise<Message>,
  ): Promise<Message> {
    const service = await openService(teamId, connection);
    if (!service) return notConnected;
    const signal = AbortSignal.timeout(timeoutMs);
    return read(
      { ...service, teamId },
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
