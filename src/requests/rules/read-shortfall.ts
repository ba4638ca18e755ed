import { readPerson } from '../../slack/api/person.ts';
import type { SlackClient } from '../../slack/api/slack-client.ts';
import type { Action } from '../action.ts';
import type { Approval } from '../approval.ts';
import type { RequestContext } from '../request-context.ts';
import { findShortfall, type Shortfall } from './find-shortfall.ts';
import { namesApprovers, neededApprovals } from './match-approvals.ts';

/**
 * What the rule of a pending request can't get anymore, as people are now. Empty if Slack doesn't
 * answer: it is only shown, and the decision checks everything again.
 */
export async function readShortfall(
  approval: Approval,
  action: Action,
  slack: SlackClient,
  { listMembers, log }: RequestContext,
): Promise<Shortfall[]> {
  if (!namesApprovers(approval) || approval.state !== 'pending') return [];
  try {
    return await findShortfall({
      needed: neededApprovals(approval, []),
      approval,
      // Their roles don't matter for this.
      requester: await readPerson(slack, approval.requester),
      isSubject: action.isSubject,
      readPerson: (slackUserId) => readPerson(slack, slackUserId),
      listMembers: (ids) => listMembers(slack, ids),
    });
  } catch (error) {
    log.warn({ approvalId: approval.id, err: error }, "who can meet a rule couldn't be read");
    return [];
  }
}

/** The same for clicks: those at the same moment get the result of one reading. */
export function createShortfallReader(context: RequestContext) {
  const { clients, bind } = context;
  const underWay = new Map<string, Promise<Shortfall[]>>();
  return (approval: Approval): Promise<Shortfall[]> => {
    const key = `${approval.id} ${approval.version}`;
    const read = async () => {
      const slack = await clients.clientFor(approval.teamId);
      return readShortfall(approval, bind(approval), slack, context);
    };
    const reading = underWay.get(key) ?? read().finally(() => underWay.delete(key));
    underWay.set(key, reading);
    return reading;
  };
}
