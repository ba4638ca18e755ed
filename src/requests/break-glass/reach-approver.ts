import { findMember, type Person } from '../../slack/api/person.ts';
import { sendDirectMessage } from '../../slack/api/post.ts';
import type { SlackClient } from '../../slack/api/slack-client.ts';
import type { Message } from '../../slack/ui/blocks.ts';
import { mention } from '../../slack/ui/mrkdwn.ts';
import type { Approval } from '../approval.ts';
import type { PlannedRequest } from '../check-request.ts';
import { copyKey } from '../copies/copy.ts';
import { readChannelMembers } from '../copies/post-or-edit-copy.ts';
import type { RequestContext } from '../request-context.ts';
import type { Requirements } from '../rules/requirements.ts';

/** Who has to know of a run without approval. */
export type Audience = {
  /** The approvers, with the members of their groups, or the admins: Slack user ids. */
  people: string[];
  /** The first of these people who could approve the run if it were a request. */
  findApprover: (among: readonly string[]) => Promise<string | undefined>;
};

/** How many people are looked up until one is found who could approve. */
const maxLookedUp = 60;
/** How many direct messages are tried until one arrives. */
const maxTried = 5;
/** The maximum number of direct messages about a run. */
export const maxNotified = 50;

/**
 * Everybody who has to know, or why nothing runs: Slack must return all groups of approvers.
 * `couldApprove`: whether a person, as they are now, could approve the run.
 */
export async function readAudience(
  { teamId, slack, settings: { access } }: PlannedRequest,
  { approvers }: Requirements,
  couldApprove: (person: Person) => boolean,
  { listMembers, adminDirectory, openPeople, log }: RequestContext,
): Promise<Audience | { why: string }> {
  const readPerson = openPeople(teamId);
  const unreadBy = (error: unknown) => {
    log.warn({ err: error }, 'the people to notify of a run without approval are not known');
    return undefined;
  };
  const isForAdmins = approvers.length === 0;
  const [{ people: named, unread }, admins] = await Promise.all([
    listMembers(slack, isForAdmins ? access.roles.admins : approvers),
    isForAdmins ? adminDirectory.read(slack).catch(unreadBy) : { people: [] },
  ]);
  if (unread.length > 0) {
    return { why: unreadRefusal(`the members of ${unread.map(mention).join(', ')}`) };
  }
  if (!admins) return { why: unreadRefusal('the admins of this workspace') };
  const people = [...named, ...admins.people.map(({ slackUserId }) => slackUserId)];
  return {
    people: [...new Set(people)],
    async findApprover(among) {
      for (const id of among.slice(0, maxLookedUp)) {
        const person = await findMember(readPerson(id)).catch(unreadBy);
        if (person && couldApprove(person)) return id;
      }
      return undefined;
    },
  };
}

function unreadRefusal(what: string): string {
  return `Slack didn't return ${what}, who must be notified before a break-glass run. Try again in a minute, or request approval instead.`;
}

/**
 * Whether an approver other than the requester has the announcement: as a member of its channel, else in
 * a direct message that is sent now and updated later like that of any approver.
 */
export async function reachApprover(
  approval: Approval,
  { people, findApprover }: Audience,
  message: () => Promise<Message>,
  { slack, store, clock, log }: RequestContext & { slack: SlackClient },
): Promise<boolean> {
  const { teamId, id } = approval;
  const failed = (error: unknown) => {
    log.warn({ teamId, approvalId: id, err: error }, 'an approver was not notified of a run');
    return undefined;
  };
  const members = (await readChannelMembers(slack, approval).catch(failed)) ?? [];
  if (await findApprover(people.filter((one) => members.includes(one)))) return true;
  const shown = await message();
  let others = people.slice(0, maxNotified);
  for (let tried = 0; tried < maxTried; tried += 1) {
    const slackUserId = await findApprover(others);
    if (slackUserId === undefined) return false;
    others = others.slice(others.indexOf(slackUserId) + 1);
    await store.markAnnouncing({ teamId, id, slackUserId, at: clock() });
    const once = { key: copyKey('approver', approval), attemptedAt: undefined };
    const direct = await sendDirectMessage(slack, slackUserId, shown, once).catch(failed);
    if (!direct) continue;
    await store.recordCopy(approval, { slackUserId, kind: 'approver' }, direct);
    return true;
  }
  return false;
}
