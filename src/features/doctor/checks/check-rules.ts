import { findShortfall } from '../../../requests/rules/find-shortfall.ts';
import { formatShortfall } from '../../../requests/views/format-rule.ts';
import { readPerson } from '../../../slack/api/person.ts';
import type { SlackClient } from '../../../slack/api/slack-client.ts';
import type { Access } from '../../../workspace/access/access.ts';
import { type RequiredApproval, ruledActions } from '../../../workspace/rules.ts';
import type { WorkspaceSettings } from '../../../workspace/settings/document.ts';
import { ruledActionNames } from '../../../workspace/views/format-rule.ts';
import { type Finding, problem } from '../finding.ts';

/** Whether anybody can request what has a rule, and whether its approvals can be given now. */
export async function checkRules({
  slack,
  settings,
  access,
}: {
  slack: SlackClient;
  settings: WorkspaceSettings;
  access: Pick<Access, 'listMembers'>;
}): Promise<Finding[]> {
  const { rules } = settings.access;
  const findMissing = (needed: RequiredApproval[]) =>
    findShortfall({
      needed,
      listMembers: (ids) => access.listMembers(slack, ids),
      readPerson: (slackUserId) => readPerson(slack, slackUserId),
    });
  const findings = await Promise.all(
    ruledActions.map(async (action) => {
      const { requesters = [], approvals = [] } = rules[action] ?? {};
      const name = `“${ruledActionNames[action]}”`;
      const asked = requesters.length > 0 ? [{ from: requesters, count: 1 }] : [];
      const [[nobody], missing] = await Promise.all([findMissing(asked), findMissing(approvals)]);
      const unmet = missing.filter(({ isUnread }) => !isUnread);
      return [
        ...(nobody && !nobody.isUnread
          ? [
              problem(
                area,
                `Nobody can request ${name}: none of the people in the rule are active.`,
                remedy,
              ),
            ]
          : []),
        ...(unmet.length > 0
          ? [problem(area, `The rule for ${name} can't be met:\n${formatShortfall(unmet)}`, remedy)]
          : []),
      ];
    }),
  );
  return findings.flat();
}

const area = 'Rules';
const remedy = 'Add people to the user groups in Slack, or change the rule with `/belay access`.';
