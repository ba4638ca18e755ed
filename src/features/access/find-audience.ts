import type { Logger } from '../../logger.ts';
import { canPostInChannel } from '../../slack/api/channel.ts';
import type { AdminDirectory } from '../../slack/api/list-admins.ts';
import { findMember, readPerson } from '../../slack/api/person.ts';
import type { SlackClient } from '../../slack/api/slack-client.ts';
import type { WorkspaceSettings } from '../workspaces/index.ts';
import type { Access } from './access.ts';

/** Only the first people of large groups, because each one costs a call to Slack. */
const maxNotified = 60;

/**
 * Where the other approvers are notified of a stand-in: the approvals channel or, if Belay can't post
 * there, direct messages to the approvers, including those in rules. Ids of channels and people.
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
  // Approvers may have become guests, and groups may include guests.
  const members = await Promise.all(
    [...all].slice(0, maxNotified).map((id) => findMember(readPerson(slack, id))),
  );
  return members.flatMap((member) => member?.slackUserId ?? []);
}

/** Everyone who can approve by the rule of an action: ids of people and user groups. */
export function approversInRules({ access }: Pick<WorkspaceSettings, 'access'>): string[] {
  return Object.values(access.rules).flatMap(({ approvals }) =>
    approvals.flatMap(({ from }) => from),
  );
}
