import type { Logger } from '../../../logger.ts';
import type { Person } from '../../../slack/api/person.ts';
import type { SlackClient } from '../../../slack/api/slack-client.ts';
import type { Access } from '../../access/index.ts';
import type { Approval } from '../approval.ts';
import type { BoundAction } from '../bound-action.ts';
import { findShortfall, type Shortfall } from './find-shortfall.ts';
import { neededApprovals } from './match-approvals.ts';

export type ShortfallDependencies = {
  slack: SlackClient;
  readPerson: (teamId: string, slackUserId: string) => Promise<Person>;
  listMembers: Access['listMembers'];
  log: Logger;
};

/**
 * What the rule of a pending request can't get any more, as people are now. Empty if Slack doesn't
 * answer: it is only shown, and the decision checks everything again.
 */
export async function readShortfall(
  approval: Approval,
  action: BoundAction,
  { slack, readPerson, listMembers, log }: ShortfallDependencies,
): Promise<Shortfall[]> {
  const needed = neededApprovals(approval);
  if (needed.length === 0 || approval.state !== 'pending') return [];
  const { teamId, snapshot } = approval;
  try {
    return await findShortfall({
      ...{ needed, approval },
      requester: await readPerson(teamId, approval.requester),
      isSubject: (person) => action.isSubject(snapshot, person),
      readPerson: (slackUserId) => readPerson(teamId, slackUserId),
      listMembers: (ids) => listMembers(slack, ids),
    });
  } catch (error) {
    log.warn({ approvalId: approval.id, err: error }, "who can meet a rule couldn't be read");
    return [];
  }
}
