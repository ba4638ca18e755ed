import type { Listeners } from '../../slack/listeners/listeners.ts';
import type { Subcommand } from '../../slack/listeners/subcommand.ts';
import type { Message } from '../../slack/ui/blocks.ts';
import { unescapeMrkdwn } from '../../slack/ui/mrkdwn.ts';
import { notConnected, type OpenService } from '../workspaces/index.ts';
import { showAllCompliance, showPolicyCompliance } from './show-compliance.ts';
import { showActionId, showValue } from './views/show-button.ts';

/** How long a person waits for statistics. */
const timeoutMs = 8000;

export function registerCompliance(
  listeners: Listeners,
  { openService }: { openService: OpenService },
): Subcommand[] {
  async function show(teamId: string, nameOrId: string): Promise<Message> {
    const service = await openService(teamId);
    if (!service) return notConnected;
    const signal = AbortSignal.timeout(timeoutMs);
    return nameOrId
      ? showPolicyCompliance(service.client, nameOrId, signal)
      : showAllCompliance(service.client, signal);
  }

  listeners.action(
    showActionId,
    showValue,
    async ({ value, teamId }) => ({ reply: await show(teamId, value.policyId) }),
    { isAnnounced: true },
  );

  return [
    {
      name: 'compliance',
      usage: 'compliance [policy name or id]',
      summary:
        'Show whether backup policies are being kept, or one policy in detail (EBS volumes only)',
      run: ({ teamId, text }) => show(teamId, unescapeMrkdwn(text).trim()),
    },
  ];
}
