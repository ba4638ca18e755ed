import type { Message } from '../../playground/slack/protocol.ts';
import type { Approval } from '../../src/requests/approval.ts';
import { checkEffect, writesByUser } from '../replicas/check-effect.ts';
import { checkEntries, decidersOf } from '../replicas/check-log.ts';
import { checkMessage } from '../replicas/check-message.ts';
import { approvers } from '../replicas/people.ts';
import { type LogRow, readApprovals, readLog } from '../replicas/read-approvals.ts';
import { readCopies, type Seen } from '../replicas/read-copies.ts';
import type { Click } from './click.ts';
import type { RaceSetup } from './open-race.ts';
import type { PostedRequest } from './post-requests.ts';
import { meetsRule } from './rule.ts';

/**
 * The violations after a race, one line each. With a rule, the reason why a click was refused depends on
 * who was faster: then only the number of answers is checked.
 */
export async function checkRace(
  setup: RaceSetup,
  all: PostedRequest[],
  { clicks, rule }: { clicks: Click[]; rule: boolean },
): Promise<string[]> {
  const approvals = await readApprovals(setup.db);
  const byApproval = Map.groupBy(await readLog(setup.db), (row) => row.approval_id);
  const clicksOf = Map.groupBy(clicks, ({ approvalId }) => approvalId);
  const seen = readCopies(setup.testBed.slack);
  const writes = writesByUser(setup.testBed.service.requests);

  const violations = all.flatMap(({ user, approval: { id } }) => {
    const approval = approvals.find((one) => one.id === id);
    if (!approval) return [`the request about ${user.id} is missing`];
    const entries = byApproval.get(id) ?? [];
    const now = setup.testBed.service.user(setup.testBed.portal.id, user.id);
    const sent = writes.get(user.id) ?? [];
    return [
      ...checkEnd(approval, sent.length),
      ...checkEffect(approval, { writes: sent, before: user, now }),
      ...checkEntries(approval, entries),
      ...(rule && approval.state === 'completed' && !meetsRule(approval)
        ? ['was completed without the people that its rule needs']
        : []),
      ...(rule ? [] : checkRefusals(approval, entries, clicksOf.get(id) ?? [])),
      ...checkMessages(approval, setup.posts.about(user.email), seen),
    ].map((violation) => `${id}: ${violation}`);
  });
  const unexpected = approvals.length - all.length;
  return [
    ...violations,
    ...(unexpected === 0 ? [] : [`there are ${unexpected} requests that nobody made`]),
    ...(rule ? countAnswers : checkAnswers)(approvals, clicks, seen),
  ];
}

function checkEnd({ state, votes, requiredApprovals }: Approval, sent: number): string[] {
  if (state === 'completed') {
    const isEnough = new Set(votes.map(({ by }) => by)).size >= requiredApprovals;
    return sent === 1 && isEnough ? [] : [`approved ${votes.length} times, and sent ${sent} times`];
  }
  if (state === 'denied') return sent === 0 ? [] : [`denied, and sent ${sent} times`];
  return [`ended ${state}`];
}

/**
 * Checks that every click except those that counted is logged as refused: of the repetitions of one
 * person the 2nd, the 4th, the 8th and so on.
 */
function checkRefusals(approval: Approval, entries: LogRow[], clicks: Click[]): string[] {
  const counts = Map.groupBy(clicks, ({ approver }) => approver);
  const counted = decidersOf(approval);
  const expected = [...counts].reduce((sum, [approver, { length }]) => {
    const refusals = counted.includes(approver) ? length - 1 : length;
    return sum + (refusals > 0 ? Math.floor(Math.log2(refusals)) + 1 : 0);
  }, 0);
  const refused = entries.filter(({ event }) => event === 'refused');
  const wrong = refused.filter(
    ({ facts }) => !JSON.stringify(facts).includes('"reason":"request_closed"'),
  );
  return [
    ...(refused.length === expected
      ? []
      : [`${refused.length} entries for the refusals of ${clicks.length} clicks`]),
    ...(wrong.length === 0 ? [] : [`${wrong.length} refusals for another reason`]),
  ];
}

function checkMessages(
  approval: Approval,
  posts: { isDirect: boolean; channelId: string; messageTs: string }[],
  seen: Seen,
) {
  const direct = posts.filter(({ isDirect }) => isDirect).length;
  return [
    ...(posts.length === 2 && direct === 1
      ? []
      : [`${posts.length - direct} messages in the channel, ${direct} to the requester`]),
    ...posts.flatMap(({ channelId, messageTs }) =>
      checkMessage(approval, seen.at(channelId, messageTs)).map((fault) => `a message ${fault}`),
    ),
  ];
}

/** Checks that each late click was answered with the decision, the person and the time. */
function checkAnswers(approvals: Approval[], clicks: Click[], seen: Seen): string[] {
  const byId = new Map(approvals.map((approval) => [approval.id, approval]));
  return approvers.flatMap((approver) => {
    const own = clicks.filter((click) => click.approver === approver);
    const expected = own.map(({ approvalId }) => decisionOf(byId.get(approvalId)));
    const answers = seen.privately(approver).map(answeredDecision);
    // Clicks that counted got no answer.
    const won = approvals.filter((one) => decidersOf(one).includes(approver)).map(decisionOf);
    const left = without(without(expected, won), answers);
    const surplus = without(answers, without(expected, won));
    return [
      ...left.map((decision) => `${approver} got no answer: ${decision}`),
      ...surplus.map((words) => `${approver} got an unexpected answer: ${words}`),
    ];
  });
}

/** Checks that each click that didn't count was answered. */
function countAnswers(approvals: Approval[], clicks: Click[], seen: Seen): string[] {
  return approvers.flatMap((approver) => {
    const own = clicks.filter((click) => click.approver === approver).length;
    const won = approvals.filter((one) => decidersOf(one).includes(approver)).length;
    const answers = seen.privately(approver).length;
    return answers === own - won
      ? []
      : [`${approver} got ${answers} answers to ${own} clicks, of which ${won} counted`];
  });
}

function decisionOf(approval: Approval | undefined): string {
  if (!approval) return 'no such request';
  const { state, decidedBy = '', decidedAt } = approval;
  const [verb, people] =
    state === 'denied' ? ['Denied', [decidedBy]] : ['Approved', decidersOf(approval)];
  const who = people.map((id) => `<@${id}>`).join(' and ');
  return `${verb} by ${who} <!date^${Math.floor((decidedAt?.getTime() ?? 0) / 1000)}`;
}

function answeredDecision({ text }: Message): string {
  const [, decision] =
    /^This request .*?((?:Approved|Denied) by <@\w+>(?: and <@\w+>)? <!date\^\d+)/.exec(text) ?? [];
  return decision ?? text;
}

function without(all: string[], taken: string[]): string[] {
  const left = [...all];
  for (const one of taken) {
    const at = left.indexOf(one);
    if (at >= 0) left.splice(at, 1);
  }
  return left;
}
