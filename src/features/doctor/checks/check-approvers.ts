import { mailboxOf } from '../../../mailbox.ts';
import type { AdminDirectory } from '../../../slack/api/list-admins.ts';
import { readPerson } from '../../../slack/api/person.ts';
import type { SlackClient } from '../../../slack/api/slack-client.ts';
import { mention } from '../../../slack/ui/mrkdwn.ts';
import { plural } from '../../../slack/ui/words.ts';
import type { Access } from '../../../workspace/access/access.ts';
import type { WorkspaceSettings } from '../../../workspace/settings/document.ts';
import { type Finding, problem, warning } from '../finding.ts';

/**
 * Whether anybody else can approve the request of an approver, and whether enough different people can
 * approve what the settings say requires several.
 */
export async function checkApprovers({
  slack,
  settings: { approvers, weakeningApprovals, restoreApprovals, administratorApprovals },
  access,
  adminDirectory,
}: {
  slack: SlackClient;
  settings: WorkspaceSettings;
  access: Pick<Access, 'listMembers'>;
  adminDirectory: AdminDirectory;
}): Promise<Finding[]> {
  const { people, isComplete } =
    approvers.length > 0
      ? await readApprovers(approvers, slack, access)
      : await adminDirectory.read(slack);
  // An account without an address can't approve, and two accounts of one mailbox count once.
  const able = new Map(
    people.flatMap(({ membership, email, slackUserId }) => {
      const mailbox = mailboxOf(email);
      return membership === 'member' && mailbox !== undefined ? [[mailbox, slackUserId]] : [];
    }),
  );
  if (!isComplete) return [];
  const [only, another] = [...able.values()];
  if (only === undefined) return [nobody];
  const single = another === undefined ? [singleApprover(only)] : [];
  const unmet = [
    { what: 'Weakening a policy', required: weakeningApprovals },
    { what: 'Restoring to another account, region or encryption key', required: restoreApprovals },
    { what: 'Inviting an administrator', required: administratorApprovals },
  ].filter(({ required }) => able.size < required);
  const who = `only ${[...able.values()].map(mention).join(', ')}`;
  return [
    ...single,
    ...unmet.map(({ what, required }) =>
      warning(
        area,
        `${what} requires ${plural(required, 'approver')}, and ${who} can approve.`,
        'Add approvers in `/belay access`, or require fewer approvers for this in `/belay setup`.',
      ),
    ),
  ];
}

/** Of large groups, only the first people: they are more than any action requires. */
const maxLookedUp = 60;

async function readApprovers(
  approvers: string[],
  slack: SlackClient,
  { listMembers }: Pick<Access, 'listMembers'>,
) {
  const { people, unread } = await listMembers(slack, approvers);
  const looked = people.slice(0, maxLookedUp);
  return {
    people: await Promise.all(looked.map((id) => readPerson(slack, id))),
    isComplete: unread.length === 0 && people.length === looked.length,
  };
}

const area = 'Approvers';
const nameMore = 'Add approvers in `/belay access`.';

const nobody = problem(area, 'Nobody can approve requests.', nameMore);

function singleApprover(slackUserId: string): Finding {
  const who = mention(slackUserId);
  return warning(
    area,
    `Only ${who} can approve requests, so nobody can approve the requests of ${who} or about ${who}.`,
    nameMore,
  );
}
