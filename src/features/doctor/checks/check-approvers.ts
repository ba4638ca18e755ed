import { mailboxOf } from '../../../mailbox.ts';
import type { AdminDirectory } from '../../../slack/api/list-admins.ts';
import { readPerson } from '../../../slack/api/person.ts';
import type { SlackClient } from '../../../slack/api/slack-client.ts';
import { mention } from '../../../slack/ui/mrkdwn.ts';
import { plural } from '../../../slack/ui/words.ts';
import type { WorkspaceSettings } from '../../workspaces/index.ts';
import { type Finding, warning } from '../finding.ts';

/** Whether enough different people can approve what requires the most approvals: weakening a policy. */
export async function checkApprovers({
  slack,
  settings: { approvers, weakeningApprovals },
  adminDirectory,
}: {
  slack: SlackClient;
  settings: WorkspaceSettings;
  adminDirectory: AdminDirectory;
}): Promise<Finding[]> {
  const { people, isComplete } =
    approvers.length > 0
      ? {
          people: await Promise.all(approvers.map((id) => readPerson(slack, id))),
          isComplete: true,
        }
      : await adminDirectory.read(slack);
  // An account without an address can't approve, and two accounts of one mailbox count once.
  const able = new Map(
    people.flatMap(({ membership, email, slackUserId }) => {
      const mailbox = mailboxOf(email);
      return membership === 'member' && mailbox !== undefined ? [[mailbox, slackUserId]] : [];
    }),
  );
  if (able.size >= weakeningApprovals || !isComplete) return [];
  const who = able.size > 0 ? `only ${[...able.values()].map(mention).join(', ')}` : 'nobody';
  return [
    warning(
      'Approvers',
      `Weakening a policy requires ${plural(weakeningApprovals, 'approver')}, and ${who} can approve.`,
      'Name more approvers, or lower the number of approvers needed to weaken a policy, in `/belay setup`.',
    ),
  ];
}
