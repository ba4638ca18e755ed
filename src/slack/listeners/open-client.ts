import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '@slack/bolt';
import type { SlackClient } from '../api/slack-client.ts';
import type { FindInstallPage, SlackClients, SlackPlace } from '../api/slack-clients.ts';
import { type Message, notice } from '../ui/blocks.ts';
import { link } from '../ui/mrkdwn.ts';
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

const installAgain = (page: string) =>
  notice(
    `Belay needs to be installed again in this workspace: Slack no longer accepts its token. Nothing was changed. Ask a workspace admin to ${link(page, 'install Belay again')}.`,
  );

/** The client of the caller's workspace, or what to tell the person instead. Never throws. */
export async function openClient(
  caller: Omit<Caller, 'slack'>,
  dependencies: FailureDependencies & {
    clients: Pick<SlackClients, 'find'>;
    findInstallPage: FindInstallPage;
  },
): Promise<{ slack: SlackClient } | { refusal: Message }> {
  try {
    const slack = await dependencies.clients.find(caller);
    if (slack) return { slack };
    const page = await dependencies.findInstallPage(caller);
    return { refusal: page ? installAgain(page) : notInstalled };
  } catch (error) {
    return { refusal: reportFailure(dependencies, error, caller) };
  }
}

const maxWaitMs = 1000;

/**
 * What to show in a form instead of closing it: once the form is acknowledged, a person in a workspace
 * without a token can't be reached. Reads one row, for a second at most. Never throws.
 */
export async function findRefusal(
  place: SlackPlace,
  { findInstallPage }: { findInstallPage: FindInstallPage },
): Promise<Message | undefined> {
  const late = sleep(maxWaitMs, undefined, { ref: false });
  const page = await Promise.race([findInstallPage(place).catch(() => undefined), late]);
  return page === undefined ? undefined : installAgain(page);
}
