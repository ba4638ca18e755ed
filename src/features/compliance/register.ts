import type { ServiceClient } from '../../dataprotection/client.ts';
import type { Listeners } from '../../slack/listeners/listeners.ts';
import type { Subcommand } from '../../slack/listeners/subcommand.ts';
import type { Message } from '../../slack/ui/blocks.ts';
import { unescapeMrkdwn } from '../../slack/ui/mrkdwn.ts';
import { notConnected, type OpenService } from '../workspaces/index.ts';
import { showAllCompliance, showPolicyCompliance } from './show-compliance.ts';
import {
  menuActionId,
  nextActionId,
  pageValue,
  previousActionId,
  refreshActionId,
  showActionId,
  showValue,
} from './views/ids.ts';

/** How long a person waits for statistics. */
const timeoutMs = 8000;

export function registerCompliance(
  listeners: Listeners,
  { openService }: { openService: OpenService },
): Subcommand[] {
  async function show(
    teamId: string,
    read: (client: ServiceClient, signal: AbortSignal) => Promise<Message>,
  ): Promise<Message> {
    const service = await openService(teamId);
    if (!service) return notConnected;
    return read(service.client, AbortSignal.timeout(timeoutMs));
  }
  const showList = (teamId: string, start: number) =>
    show(teamId, (client, signal) => showAllCompliance(client, signal, start));
  const showPolicy = (teamId: string, nameOrId: string) =>
    show(teamId, (client, signal) => showPolicyCompliance(client, nameOrId, signal));

  for (const actionId of [showActionId, menuActionId]) {
    listeners.action(
      actionId,
      showValue,
      async ({ value, teamId }) => ({ reply: await showPolicy(teamId, value.policyId) }),
      { isAnnounced: true },
    );
  }

  for (const actionId of [previousActionId, nextActionId, refreshActionId]) {
    listeners.action(
      actionId,
      pageValue,
      async ({ value, teamId }) => ({ replace: await showList(teamId, value.start) }),
      { isAnnounced: true },
    );
  }

  return [
    {
      name: 'compliance',
      usage: 'compliance [policy name or ID]',
      summary: 'Show policy compliance (EBS volumes only)',
      run({ teamId, text }) {
        const nameOrId = unescapeMrkdwn(text).trim();
        return nameOrId ? showPolicy(teamId, nameOrId) : showList(teamId, 0);
      },
    },
  ];
}
