import { slackErrorCode } from '../../../slack/api/error-codes.ts';
import type { SlackClient } from '../../../slack/api/slack-client.ts';
import { listUserGroups } from '../../../slack/api/user-groups.ts';
import { code, mention } from '../../../slack/ui/mrkdwn.ts';
import type { Access } from '../../../workspace/access/access.ts';
import { namedGroups } from '../../../workspace/access.ts';
import type { WorkspaceSettings } from '../../../workspace/settings/document.ts';
import { type Finding, problem, warning } from '../finding.ts';

/** Whether the user groups that roles name exist and have members. */
export async function checkAccess({
  slack,
  settings,
  access,
}: {
  slack: SlackClient;
  settings: WorkspaceSettings;
  access: Pick<Access, 'listMembers'>;
}): Promise<Finding[]> {
  const groups = namedGroups(settings);
  if (groups.length === 0) return [];
  const inUse = await listUserGroups(slack).catch((error: unknown) => {
    if (slackErrorCode(error) === 'missing_scope') return undefined;
    throw error;
  });
  if (!inUse) {
    return [
      problem(
        area,
        `Belay can't read who is in a user group: the bot token lacks ${code('usergroups:read')}.`,
        'Update the app from `manifest.yml`, then install Belay again.',
      ),
    ];
  }
  const findings = await Promise.all(
    groups.map(async (id) => {
      if (!inUse.some((group) => group.id === id)) {
        return problem(
          area,
          `The user group ${mention(id)} was disabled or deleted.`,
          replaceGroup,
        );
      }
      const { people, unread } = await access.listMembers(slack, [id]);
      if (unread.length > 0) {
        return warning(
          area,
          `Slack didn't return the members of ${mention(id)}.`,
          'Run the command again in a minute.',
        );
      }
      return people.length === 0
        ? warning(area, `Nobody is in the user group ${mention(id)}.`, replaceGroup)
        : undefined;
    }),
  );
  return findings.filter((finding) => finding !== undefined);
}

const area = 'Access';
const replaceGroup =
  'Add people to the group in Slack, or choose another one with `/belay access`.';
