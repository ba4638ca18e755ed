import { checkEffect, effectsOf, type Write } from '../replicas/check-effect.ts';
import { checkEntries } from '../replicas/check-log.ts';
import { checkMessage } from '../replicas/check-message.ts';
import {
  type LogRow,
  type ReadApproval,
  readApprovals,
  readLog,
} from '../replicas/read-approvals.ts';
import { readCopies, type Seen } from '../replicas/read-copies.ts';
import type { Post } from '../replicas/watch-posts.ts';
import type { ChaosSetup } from './chaos-setup.ts';
import type { SimulatedRequest } from './simulate-request.ts';

const endStates = new Set(['completed', 'canceled', 'failed', 'voided', 'denied']);

/** Compares each request in the database, the audit log, the service and Slack at the end. */
export async function checkChaos(
  { db, testBed, posts }: ChaosSetup,
  simulated: SimulatedRequest[],
  writes: Map<string, Write[]>,
) {
  const approvals = await readApprovals(db);
  const byApproval = Map.groupBy(await readLog(db), (row) => row.approval_id);
  const seen = readCopies(testBed.slack);
  const violations: string[] = [];
  const orphanCopies: string[] = [];
  let repeats = 0;
  for (const simulation of simulated) {
    const { user } = simulation;
    const own = approvals.filter(({ subjectId }) => subjectId === user.id);
    const sent = writes.get(user.id) ?? [];
    const say = (fault: string) => violations.push(`${own[0]?.id ?? user.id}: ${fault}`);
    const [approval] = own;
    if (!approval || own.length > 1) {
      say(`${own.length} requests about one user, submitted ${simulation.submissions} times`);
      continue;
    }
    repeats += sent.length - effectsOf(sent).length;
    const now = testBed.service.user(testBed.portal.id, user.id);
    const entries = byApproval.get(approval.id) ?? [];
    for (const fault of [
      ...(endStates.has(approval.state) ? [] : [`is ${approval.state} at the end`]),
      ...checkEffect(approval, { writes: sent, before: user, now }),
      ...checkEntries(approval, entries),
      ...checkRecords(approval, sent, entries),
      ...checkKnownCopies(approval, seen),
    ]) {
      say(fault);
    }
    orphanCopies.push(...findOrphans(approval, posts.about(user.email), seen));
  }
  return { approvals, violations, orphanCopies, repeats };
}

/** Checks that every change was logged as started and recorded as sent before it left. */
function checkRecords(approval: ReadApproval, sent: Write[], entries: LogRow[]): string[] {
  const kinds = [...new Set(sent)];
  return kinds.flatMap((kind) => {
    const step = kind === 'enable' && approval.action === 'users.delete' ? 'cancel' : kind;
    const started = entries.filter(
      ({ event, facts }) => event === 'started' && JSON.stringify(facts).includes(`"${step}"`),
    );
    const recorded = approval.sent.filter((one) => one.step === step) ?? [];
    const times = sent.filter((one) => one === kind).length;
    return times > Math.min(started.length, recorded.length)
      ? [`sent ${kind} ${times} times, begun ${started.length}, recorded ${recorded.length}`]
      : [];
  });
}

/** Whether the messages in the channel and to the requester say what the request is. */
export function checkKnownCopies(approval: ReadApproval, seen: Seen): string[] {
  const { channelId, messageTs, requesterCopy } = approval;
  const say = (where: string) => (fault: string) => `the message ${where} ${fault}`;
  return [
    ...(messageTs
      ? checkMessage(approval, seen.at(channelId, messageTs)).map(say('in the channel'))
      : []),
    ...(requesterCopy
      ? checkMessage(approval, seen.at(requesterCopy.channelId, requesterCopy.messageTs)).map(
          say('to the requester'),
        )
      : ['its requester got no message']),
  ];
}

/** Outdated messages posted by a process that died before it could record them. */
function findOrphans(approval: ReadApproval, posts: Post[], seen: Seen): string[] {
  const known = new Set([approval.messageTs, approval.requesterCopy?.messageTs]);
  return posts
    .filter(({ messageTs }) => !known.has(messageTs))
    .flatMap(({ channelId, messageTs, isDirect }) => {
      const [fault] = checkMessage(approval, seen.at(channelId, messageTs));
      const where = isDirect ? 'to the requester' : 'in the channel';
      return fault ? [`${approval.id}: an orphaned copy ${where} ${fault}`] : [];
    });
}
