import type { Logger } from '../../../logger.ts';
import { readPerson } from '../../../slack/api/person.ts';
import type { SlackClient } from '../../../slack/api/slack-client.ts';
import type { SlackClients } from '../../../slack/api/slack-clients.ts';
import type { Access } from '../../access/index.ts';
import type { Action } from '../action.ts';
import type { Approval } from '../approval.ts';
import type { BindAction } from '../define-action.ts';
import { findShortfall, type Shortfall } from './find-shortfall.ts';
import { neededApprovals } from './match-approvals.ts';

type ShortfallDependencies = {
  slack: SlackClient;
  listMembers: Access['listMembers'];
  log: Logger;
};

/**
 * What the rule of a pending request can't get anymore, as people are now. Empty if Slack doesn't
 * answer: it is only shown, and the decision checks everything again.
 */
export async function readShortfall(
  approval: Approval,
  action: Action,
  { slack, listMembers, log }: ShortfallDependencies,
): Promise<Shortfall[]> {
  const needed = neededApprovals(approval);
  if (needed.length === 0 || approval.state !== 'pending') return [];
  const { snapshot } = approval;
  try {
    return await findShortfall({
      needed,
      approval,
      // Their roles don't matter for this.
      requester: await readPerson(slack, approval.requester),
      isSubject: (person) => action.isSubject(snapshot, person),
      readPerson: (slackUserId) => readPerson(slack, slackUserId),
      listMembers: (ids) => listMembers(slack, ids),
    });
  } catch (error) {
    log.warn({ approvalId: approval.id, err: error }, "who can meet a rule couldn't be read");
    return [];
  }
}

/** The same for clicks: those at the same moment get the result of one reading. */
export function createShortfallReader({
  clients,
  bind,
  ...dependencies
}: Omit<ShortfallDependencies, 'slack'> & {
  clients: Pick<SlackClients, 'clientFor'>;
  bind: BindAction;
}) {
  const underWay = new Map<string, Promise<Shortfall[]>>();
  return (approval: Approval): Promise<Shortfall[]> => {
    const key = `${approval.id} ${approval.version}`;
    const read = async () => {
      const slack = await clients.clientFor(approval.teamId);
      return readShortfall(approval, bind(approval), { ...dependencies, slack });
    };
    const reading = underWay.get(key) ?? read().finally(() => underWay.delete(key));
    underWay.set(key, reading);
    return reading;
  };
}
