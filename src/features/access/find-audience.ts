import type { Logger } from '../../logger.ts';
import { canPostInChannel } from '../../slack/api/channel.ts';
import { isRecipientGone } from '../../slack/api/error-codes.ts';
import type { AdminDirectory } from '../../slack/api/list-admins.ts';
import { readPerson } from '../../slack/api/person.ts';
import type { SlackClient } from '../../slack/api/slack-client.ts';
import type { WorkspaceSettings } from '../workspaces/index.ts';
import type { Access } from './access.ts';

/** Of the people of large groups, only the first, because Slack is asked about each. */
const maxNotified = 60;

/**
 * Where the other approvers hear of a stand-in: the approvals channel or, without one that Belay can
 * post in, direct messages to the approvers and to those whom rules name. Ids of channels and people.
 */
export async function findAudience(
  settings: WorkspaceSettings,
  except: readonly string[],
  {
    slack,
    access,
    adminDirectory,
    log,
  }: {
    slack: SlackClient;
    access: Pick<Access, 'listMembers'>;
    adminDirectory: AdminDirectory;
    log: Logger;
  },
): Promise<string[]> {
  const { approvalsChannelId: channelId, approvers } = settings;
  if (channelId !== undefined && (await canPostInChannel(slack, channelId))) return [channelId];
  const { people } = await access.listMembers(slack, [...approvers, ...approversInRules(settings)]);
  const admins = approvers.length > 0 ? [] : (await adminDirectory.read(slack)).people;
  const all = new Set([...people, ...admins.map(({ slackUserId }) => slackUserId)]);
  for (const id of except) all.delete(id);
  if (all.size > maxNotified) log.warn('some approvers are not notified of a stand-in');
  const found = await Promise.all(
    [...all].slice(0, maxNotified).map(async (id) => ((await isMember(slack, id)) ? [id] : [])),
  );
  return found.flat();
}

/** Approvers may have become guests, and their groups may have some. */
async function isMember(slack: SlackClient, slackUserId: string): Promise<boolean> {
  try {
    return (await readPerson(slack, slackUserId)).membership === 'member';
  } catch (error) {
    if (isRecipientGone(error)) return false;
    throw error;
  }
}

/** Everyone who can approve by the rule of an action: ids of people and user groups. */
export function approversInRules({ access }: Pick<WorkspaceSettings, 'access'>): string[] {
  return Object.values(access.rules).flatMap(({ approvals }) =>
    approvals.flatMap(({ from }) => from),
  );
}
