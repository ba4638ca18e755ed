import type { Approval } from '../../src/features/approvals/approval.ts';
import { checkEffect, effectsOf, type Write } from '../replicas/check-effect.ts';
import { checkEntries } from '../replicas/check-log.ts';
import { checkWords } from '../replicas/check-words.ts';
import { type LogRow, readApprovals, readLog } from '../replicas/read-approvals.ts';
import { readCopies, type Seen } from '../replicas/read-copies.ts';
import type { Post } from '../replicas/watch-posts.ts';
import type { Arena } from './arena.ts';
import type { Errand } from './run-errand.ts';

const ends = new Set(['succeeded', 'kept', 'failed', 'voided', 'denied']);

/** Every request as the database, the log, the service and Slack have it at the end. */
export async function checkChaos(
  { db, stage, posts }: Arena,
  errands: Errand[],
  writes: Map<string, Write[]>,
) {
  const approvals = await readApprovals(db);
  const byApproval = Map.groupBy(await readLog(db), (row) => row.approval_id);
  const seen = readCopies(stage.slack);
  const violations: string[] = [];
  const strayCopies: string[] = [];
  let repeats = 0;
  for (const errand of errands) {
    const { user } = errand;
    const own = approvals.filter(({ subjectId }) => subjectId === user.id);
    const sent = writes.get(user.id) ?? [];
    const say = (fault: string) => violations.push(`${own[0]?.id ?? user.id}: ${fault}`);
    const [approval] = own;
    if (!approval || own.length > 1) {
      say(`${own.length} requests about one user, asked for ${errand.asked} times`);
      continue;
    }
    repeats += sent.length - effectsOf(sent).length;
    const now = stage.service.user(stage.portal.id, user.id);
    const entries = byApproval.get(approval.id) ?? [];
    for (const fault of [
      ...(ends.has(approval.state) ? [] : [`is ${approval.state} at the end`]),
      ...checkEffect(approval, { writes: sent, before: user, now }),
      ...checkEntries(approval, entries),
      ...checkStarts(approval, sent, entries),
      ...checkKnownCopies(approval, seen),
    ]) {
      say(fault);
    }
    strayCopies.push(...findStrays(approval, posts.about(user.email), seen));
  }
  return { approvals, violations, strayCopies, repeats };
}

/** Nothing is sent without having been begun, under a lease and on record. */
function checkStarts({ action }: Approval, sent: Write[], entries: LogRow[]): string[] {
  const kinds = [...new Set(sent)];
  return kinds.flatMap((kind) => {
    const step = kind === 'enable' && action === 'users.delete' ? 'keep' : kind;
    const started = entries.filter(
      ({ event, facts }) => event === 'started' && JSON.stringify(facts).includes(`"${step}"`),
    );
    const times = sent.filter((one) => one === kind).length;
    return times > started.length ? [`sent ${kind} ${times} times, begun ${started.length}`] : [];
  });
}

function checkKnownCopies(approval: Approval, seen: Seen): string[] {
  const { channelId, messageTs, directChannelId, directTs } = approval;
  const say = (where: string) => (fault: string) => `the message ${where} ${fault}`;
  return [
    ...(messageTs
      ? checkWords(approval, seen.at(channelId, messageTs)).map(say('in the channel'))
      : []),
    ...(directChannelId && directTs
      ? checkWords(approval, seen.at(directChannelId, directTs)).map(say('to the requester'))
      : ['its requester was told nothing']),
  ];
}

/** Copies that were posted by a process that died before it could note where, and are not true. */
function findStrays(approval: Approval, posts: Post[], seen: Seen): string[] {
  const known = new Set([approval.messageTs, approval.directTs]);
  return posts
    .filter(({ messageTs }) => !known.has(messageTs))
    .flatMap(({ channelId, messageTs, isDirect }) => {
      const [fault] = checkWords(approval, seen.at(channelId, messageTs));
      const where = isDirect ? 'to the requester' : 'in the channel';
      return fault ? [`${approval.id}: a stray copy ${where} ${fault}`] : [];
    });
}
