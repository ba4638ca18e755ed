import { readPerson } from '../../../slack/api/person.ts';
import type { SlackClient } from '../../../slack/api/slack-client.ts';
import { plural } from '../../../slack/ui/words.ts';
import { type Access, findUnmetApproval, type UnmetApproval } from '../../access/index.ts';
import {
  formatRequiredApprovals,
  type RequiredApproval,
  ruledActionNames,
  ruledActions,
  type WorkspaceSettings,
} from '../../workspaces/index.ts';
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
  const findUnmet = (approvals: RequiredApproval[]) =>
    findUnmetApproval(approvals, {
      listMembers: (ids) => access.listMembers(slack, ids),
      readPerson: (slackUserId) => readPerson(slack, slackUserId),
    });
  const findings = await Promise.all(
    ruledActions.map(async (action) => {
      const { requesters = [], approvals = [] } = rules[action] ?? {};
      const name = `“${ruledActionNames[action]}”`;
      const asked = requesters.length > 0 ? [{ from: requesters, count: 1 }] : [];
      const [nobody, unmet] = await Promise.all([findUnmet(asked), findUnmet(approvals)]);
      return [
        ...(nobody?.reason === 'too-few'
          ? [problem(area, `Nobody can request ${name}: nobody the rule names is active.`, remedy)]
          : []),
        ...(unmet && unmet.reason !== 'unread'
          ? [
              problem(
                area,
                `The rule for ${name} can't be met: ${formatUnmet(unmet, approvals)}`,
                remedy,
              ),
            ]
          : []),
      ];
    }),
  );
  return findings.flat();
}

const area = 'Rules';
const remedy = 'Add people to the user groups in Slack, or change the rule with `/belay access`.';

function formatUnmet(
  { reason, index, able }: UnmetApproval,
  approvals: RequiredApproval[],
): string {
  if (reason === 'overlap') {
    return `${formatRequiredApprovals(approvals)} must approve, and there aren't enough different people.`;
  }
  const who = able === 0 ? 'nobody' : `only ${plural(able, 'person', 'people')}`;
  return `${formatRequiredApprovals(approvals.slice(index, index + 1))} must approve, and ${who} can.`;
}
