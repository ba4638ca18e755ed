import type { Context } from '@slack/bolt';
import type { SlackClient } from '../api/slack-client.ts';
import type { SlackClients } from '../api/slack-clients.ts';
import { type Message, notice } from '../ui/blocks.ts';
import type { Caller } from './authorize-caller.ts';
import { type FailureDependencies, reportFailure } from './report-failure.ts';

/** The workspace that a payload came from, as Bolt read it from the payload. */
type CallerOrigin = { teamId: string; enterpriseId: string | undefined };

/**
 * A payload of an organization's installation belongs to the organization, where Belay is never
 * installed. The workspace that Bolt finds in it can be the person's own one.
 */
export function originOf({ teamId, enterpriseId, isEnterpriseInstall }: Context): CallerOrigin {
  return { teamId: (isEnterpriseInstall ? enterpriseId : teamId) ?? '', enterpriseId };
}

const notInstalled = notice(
  "Belay isn't installed in this workspace. Nothing was changed. Ask a workspace admin to install Belay.",
);

/** The client of the caller's workspace, or what to tell the person instead. Never throws. */
export async function openClient(
  caller: Omit<Caller, 'slack'>,
  dependencies: FailureDependencies & { clients: Pick<SlackClients, 'find'> },
): Promise<{ slack: SlackClient } | { refusal: Message }> {
  try {
    const slack = await dependencies.clients.find(caller);
    return slack ? { slack } : { refusal: notInstalled };
  } catch (error) {
    return { refusal: reportFailure(dependencies, error, caller) };
  }
}
