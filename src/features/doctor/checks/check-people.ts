import { mailboxOf } from '../../../mailbox.ts';
import { findShortfall } from '../../../requests/rules/find-shortfall.ts';
import { formatShortfall } from '../../../requests/views/format-rule.ts';
import { slackErrorCode } from '../../../slack/api/error-codes.ts';
import type { AdminDirectory } from '../../../slack/api/list-admins.ts';
import { findMember, findPerson, readPerson } from '../../../slack/api/person.ts';
import type { SlackClient } from '../../../slack/api/slack-client.ts';
import { listUserGroups } from '../../../slack/api/user-groups.ts';
import { code, mention } from '../../../slack/ui/mrkdwn.ts';
import { plural } from '../../../slack/ui/words.ts';
import type { Access } from '../../../workspace/access/access.ts';
import { isUserGroup } from '../../../workspace/members.ts';
import { type RequiredApproval, ruledActions } from '../../../workspace/rules.ts';
import { namedGroups, type WorkspaceSettings } from '../../../workspace/settings/document.ts';
import { ruledActionNames } from '../../../workspace/views/format-rule.ts';
import { type Found, problem, warning } from '../finding.ts';

/** The people and user groups that the settings name, as Slack knows them. */
type PeopleCheck = {
  slack: SlackClient;
  settings: WorkspaceSettings;
  access: Pick<Access, 'listMembers'>;
};

/**
 * Whether Slack shows Belay the email addresses of the approvers, and of the person who asks: they
 * decide who counts as the same person. And whether each can still approve.
 */
export async function checkPeople(
  { slack, settings: { approvers } }: PeopleCheck,
  slackUserId: string | undefined,
): Promise<Found[]> {
  const area = 'Slack';
  const named = approvers.filter((id) => !isUserGroup(id));
  const ids = [...new Set([...(slackUserId ? [slackUserId] : []), ...named])];
  const read = await Promise.all(ids.map((id) => findPerson(readPerson(slack, id))));
  const people = read.filter((one) => one !== undefined);
  const hidden = people.filter(({ email }) => mailboxOf(email) === undefined);
  const gone = ids.filter((_, at) => read[at]?.membership !== 'member');
  if (hidden.length > 0 && hidden.length === people.length) {
    const text =
      "Slack doesn't show Belay any email addresses, so Belay can't tell whether two accounts belong to one person.";
    const remedy =
      'Install the app again with the scope `users:read.email`, and let Slack show addresses to apps.';
    return [{ ...problem(text, remedy), area }];
  }
  const findings: Found[] = [];
  if (hidden.length > 0) {
    const names = hidden.map((one) => mention(one.slackUserId)).join(', ');
    const text = `Slack doesn't show Belay the email address of ${names}.`;
    const remedy =
      'Add an address to each profile. Belay refuses decisions of people without an address.';
    findings.push({ ...warning(text, remedy), area });
  }
  if (gone.length > 0) {
    const text = `These approvers are no longer full members: ${gone.map(mention).join(', ')}.`;
    findings.push({ ...warning(text, 'Replace them with `/belay setup`.'), area });
  }
  return findings;
}

const nameMore = 'Add approvers in `/belay access`.';

/**
 * Whether anybody else can approve the request of an approver, and whether enough different people can
 * approve what the settings say requires several.
 */
export async function checkApprovers(
  named: PeopleCheck,
  adminDirectory: AdminDirectory,
): Promise<Found[]> {
  const { approvers, weakeningApprovals, restoreApprovals, administratorApprovals } =
    named.settings;
  const { people, isComplete } =
    approvers.length > 0 ? await readApprovers(named) : await adminDirectory.read(named.slack);
  if (!isComplete) return [];
  // An account without an address can't approve, and two accounts of one mailbox count once.
  const able = new Map(
    people.flatMap(({ email, slackUserId }) => {
      const mailbox = mailboxOf(email);
      return mailbox === undefined ? [] : [[mailbox, slackUserId]];
    }),
  );
  const mentions = [...able.values()].map(mention);
  const [who] = mentions;
  if (who === undefined) return [problem('Nobody can approve requests.', nameMore)];
  const single = warning(
    `Only ${who} can approve requests, so nobody can approve the requests of ${who} or about ${who}.`,
    nameMore,
  );
  const unmet = [
    { what: 'Weakening a policy', required: weakeningApprovals },
    { what: 'Restoring to another account, region or encryption key', required: restoreApprovals },
    { what: 'Inviting an administrator', required: administratorApprovals },
  ].filter(({ required }) => able.size < required);
  return [
    ...(able.size === 1 ? [single] : []),
    ...unmet.map(({ what, required }) =>
      warning(
        `${what} requires ${plural(required, 'approver')}, and only ${mentions.join(', ')} can approve.`,
        'Add approvers in `/belay access`, or require fewer approvers for this in `/belay setup`.',
      ),
    ),
  ];
}

/** Of large groups, only the first people: they are more than any action requires. */
const maxLookedUp = 60;

async function readApprovers({ slack, settings, access }: PeopleCheck) {
  const { people, unread } = await access.listMembers(slack, settings.approvers);
  const looked = people.slice(0, maxLookedUp);
  const members = await Promise.all(looked.map((id) => findMember(readPerson(slack, id))));
  return {
    people: members.filter((one) => one !== undefined),
    isComplete: unread.length === 0 && people.length === looked.length,
  };
}

const replaceGroup =
  'Add people to the group in Slack, or choose another one with `/belay access`.';

/** Whether the user groups that roles and rules name exist and have members. */
export async function checkGroups({ slack, settings, access }: PeopleCheck): Promise<Found[]> {
  const groups = namedGroups(settings);
  if (groups.length === 0) return [];
  const inUse = await listUserGroups(slack).catch((error: unknown) => {
    if (slackErrorCode(error) === 'missing_scope') return undefined;
    throw error;
  });
  if (!inUse) {
    const text = `Belay can't read who is in a user group: the bot token lacks ${code('usergroups:read')}.`;
    return [problem(text, 'Update the app from `manifest.yml`, then install Belay again.')];
  }
  const findings = await Promise.all(
    groups.map(async (id) => {
      if (!inUse.some((group) => group.id === id)) {
        return problem(`The user group ${mention(id)} was disabled or deleted.`, replaceGroup);
      }
      const { people, unread } = await access.listMembers(slack, [id]);
      if (unread.length > 0) {
        const text = `Slack didn't return the members of ${mention(id)}.`;
        return warning(text, 'Run the command again in a minute.');
      }
      if (people.length > 0) return undefined;
      return warning(`Nobody is in the user group ${mention(id)}.`, replaceGroup);
    }),
  );
  return findings.filter((finding) => finding !== undefined);
}

/** Whether anybody can request what has a rule, and whether its approvals can be given now. */
export async function checkRules({ slack, settings, access }: PeopleCheck): Promise<Found[]> {
  const remedy = 'Add people to the user groups in Slack, or change the rule with `/belay access`.';
  const findMissing = (needed: RequiredApproval[]) =>
    findShortfall({
      needed,
      listMembers: (ids) => access.listMembers(slack, ids),
      readPerson: (slackUserId) => readPerson(slack, slackUserId),
    });
  const findings = await Promise.all(
    ruledActions.map(async (action) => {
      const { requesters = [], approvals = [] } = settings.access.rules[action] ?? {};
      const name = `“${ruledActionNames[action]}”`;
      const asked = requesters.length > 0 ? [{ from: requesters, count: 1 }] : [];
      const [[nobody], missing] = await Promise.all([findMissing(asked), findMissing(approvals)]);
      const unmet = missing.filter(({ isUnread }) => !isUnread);
      const none = `Nobody can request ${name}: none of the people in the rule are active.`;
      return [
        ...(nobody && !nobody.isUnread ? [problem(none, remedy)] : []),
        ...(unmet.length > 0
          ? [problem(`The rule for ${name} can't be met:\n${formatShortfall(unmet)}`, remedy)]
          : []),
      ];
    }),
  );
  return findings.flat();
}
