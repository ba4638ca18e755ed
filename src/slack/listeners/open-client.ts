import type { Context } from '@slack/bolt';
import type { SlackClient } from '../api/slack-client.ts';
import type { SlackClients, SlackOrigin } from '../api/slack-clients.ts';
import { type Message, notice } from '../ui/blocks.ts';
import type { Caller } from './authorize-caller.ts';
import { type FailureDependencies, reportFailure } from './report-failure.ts';

/** The workspace that a payload came from, as Bolt read it from the payload. */
export type CallerOrigin = SlackOrigin & { enterpriseId: string | undefined };

/**
 * `team` is what the payload says of the workspace. It is null in interactions that came through an
 * organization's installation: then Bolt names the person's own workspace, which may be outside the
 * organization, so it isn't recorded as one of the organization's workspaces.
 */
export function originOf(
  { teamId = '', enterpriseId, isEnterpriseInstall }: Context,
  { team }: { team?: { id: string } | null | undefined },
): CallerOrigin {
  const organizationId = isEnterpriseInstall && team ? enterpriseId : undefined;
  return { teamId, enterpriseId, organizationId };
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
