import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '@slack/bolt';
import type { SlackClient } from '../api/slack-client.ts';
import type { FindInstallPage, SlackPlace } from '../api/slack-clients.ts';
import { type Message, notice } from '../ui/blocks.ts';
import { link } from '../ui/mrkdwn.ts';
import type { Caller, ClientDependencies } from './authorize-caller.ts';
import { type FailureDependencies, reportFailure } from './report-failure.ts';

/** The workspace that a payload came from. */
type CallerOrigin = Pick<Caller, 'teamId' | 'enterpriseId' | 'organizationId'>;

/** What an interaction, other than a command or an event, says about where it happened. */
type InteractionPlace = {
  team?: { id: string } | null | undefined;
  /** The workspace that its form or message was made for. */
  boundTeamId: string | undefined;
};

/**
 * In an interaction of an organization's installation, Slack names only the person's own workspace,
 * which can be a different one. So a form or message belongs to the workspace that it was made for;
 * authorizeCaller checks with Slack that the person is a member there.
 * https://docs.slack.dev/enterprise/developing-for-enterprise-orgs
 */
export function originOf(
  { teamId = '', enterpriseId, isEnterpriseInstall }: Context,
  interaction?: InteractionPlace,
): CallerOrigin {
  if (!isEnterpriseInstall && interaction?.team !== null) {
    return { teamId, enterpriseId, organizationId: undefined };
  }
  const organizationId = enterpriseId ?? '';
  if (!interaction) return { teamId, enterpriseId, organizationId };
  const { boundTeamId, team } = interaction;
  return { teamId: boundTeamId ?? team?.id ?? '', enterpriseId, organizationId };
}

const notInstalled = notice(
  "Belay isn't installed in this workspace. Nothing was changed. Ask a workspace admin to install Belay.",
);

/** For messages from before Belay was installed in the whole organization. */
const unknownWorkspace = notice(
  "Belay can't tell which workspace this message belongs to. Nothing was changed. Run the command again.",
);

const installAgain = (page: string) =>
  notice(
    `Belay needs to be installed again in this workspace: Slack no longer accepts its token. Nothing was changed. Ask a workspace admin to ${link(page, 'install Belay again')}.`,
  );

/** The caller with the client of the workspace, or what to show to the person instead. Never throws. */
export async function openClient(
  caller: Omit<Caller, 'slack'>,
  dependencies: FailureDependencies & ClientDependencies,
): Promise<Caller | { refusal: Message }> {
  try {
    if (caller.teamId === '') return { refusal: unknownWorkspace };
    const slack = await findClient(caller, dependencies);
    if (slack) return { ...caller, slack };
    const page = await dependencies.findInstallPage(caller);
    return { refusal: page ? installAgain(page) : notInstalled };
  } catch (error) {
    return { refusal: await reportFailure(dependencies, error, caller) };
  }
}

/** A payload of an organization's installation is accepted only where that installation is used. */
async function findClient(
  { teamId, organizationId }: Pick<Caller, 'teamId' | 'organizationId'>,
  { clients, refreshOrganization }: ClientDependencies,
): Promise<SlackClient | undefined> {
  const found = await clients.find({ teamId });
  if (organizationId === undefined) return found;
  if (!found) await refreshOrganization?.(organizationId);
  const slack = found ?? (await clients.find({ teamId }));
  return slack?.organizationId === organizationId ? slack : undefined;
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
