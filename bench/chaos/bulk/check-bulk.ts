import type { Message } from '../../../playground/slack/protocol.ts';
import type { Approval } from '../../../src/requests/approval.ts';
import { checkEffect, effectsOf, type Write } from '../../replicas/check-effect.ts';
import { checkEntries } from '../../replicas/check-log.ts';
import { readApprovals, readLog } from '../../replicas/read-approvals.ts';
import { readCopies } from '../../replicas/read-copies.ts';
import type { ChaosSetup } from '../chaos-setup.ts';
import type { SimulatedBulk } from './simulate-bulk.ts';

/** The expected text of a user's row in each state, independent of the code that renders it. */
const wordsOf: Partial<Record<Approval['state'], RegExp>> = {
  completed: /^(Disabled|Deleted|No change was needed)$/,
  canceled: /^Deletion canceled$/,
  failed: /^Failed/,
  voided: /^(Not changed|Not deleted|Not disabled)/,
  outcome_unknown: /^Unknown outcome/,
};
const endStates = new Set(['completed', 'canceled', 'failed', 'voided']);

/** Compares each user in the request, the audit log, the service and the message at the end. */
export async function checkBulk(
  { db, testBed }: ChaosSetup,
  simulated: SimulatedBulk[],
  writes: Map<string, Write[]>,
) {
  const approvals = await readApprovals(db);
  const byApproval = Map.groupBy(await readLog(db), (row) => row.approval_id);
  const seen = readCopies(testBed.slack);
  const parents = approvals.filter(({ tally }) => tally !== undefined);
  const children = approvals.filter(({ parentId }) => parentId !== undefined);
  const violations: string[] = [];
  let repeats = 0;
  if (parents.length > simulated.length) {
    violations.push(`${parents.length} requests from ${simulated.length} forms`);
  }
  for (const { users, verb } of simulated) {
    for (const user of users) {
      const own = children.filter(({ subjectId }) => subjectId === user.id);
      const sent = writes.get(user.id) ?? [];
      const [child] = own;
      const say = (fault: string) => violations.push(`${child?.id ?? user.id}: ${fault}`);
      if (!child) {
        if (sent.length > 0) say(`was sent ${sent.join(', ')} without a request`);
        continue;
      }
      if (own.length > 1) say(`${own.length} requests about one user`);
      if (child.action !== `users.${verb}`) say(`${child.action} instead of ${verb}`);
      repeats += sent.length - effectsOf(sent).length;
      const now = testBed.service.user(testBed.portal.id, user.id);
      for (const fault of [
        ...(endStates.has(child.state) ? [] : [`is ${child.state} at the end`]),
        ...checkEffect(child, { writes: sent, before: user, now }),
        ...checkEntries(child, byApproval.get(child.id) ?? []),
      ]) {
        say(fault);
      }
    }
  }
  for (const parent of parents) {
    const own = children.filter(({ parentId }) => parentId === parent.id);
    const { channelId, messageTs, requesterCopy } = parent;
    const message = messageTs ? seen.at(channelId, messageTs) : undefined;
    const copy = requesterCopy && seen.at(requesterCopy.channelId, requesterCopy.messageTs);
    for (const fault of [
      ...checkResults(own, message, testBed),
      ...(copy ? [] : ['its requester got no message']),
      ...(/running|Waiting for/.test(copy?.text ?? '') ? [`its copy says ${copy?.text}`] : []),
    ]) {
      violations.push(`${parent.id}: ${fault}`);
    }
  }
  return { parents, children, violations, repeats };
}

/** Whether the message has one row for each user, with the result of that user's request. */
function checkResults(
  children: Approval[],
  message: Message | undefined,
  { service, portal }: ChaosSetup['testBed'],
): string[] {
  if (!message) return ['its message is not there'];
  const rows = tableOf(message);
  // A request that was never posted in time is void as a whole, without results.
  if (children.every(({ decidedBy }) => decidedBy === undefined)) return [];
  const faults =
    rows.length === children.length ? [] : [`${rows.length} rows, not ${children.length}`];
  for (const child of children) {
    const id = child.subjectId ?? '';
    const email = emailOf(child) ?? service.user(portal.id, id)?.email ?? id;
    const row = rows.find(([subject = '']) => subject.includes(`(${email})`));
    const words = wordsOf[child.state];
    if (!row) faults.push(`no row for ${email}`);
    else if (!words?.test(row[1] ?? '')) faults.push(`${email} is ${child.state}, not: ${row[1]}`);
  }
  return faults;
}

function emailOf({ payload }: Approval): string | undefined {
  return typeof payload === 'object' && payload && 'email' in payload
    ? String(payload.email)
    : undefined;
}

/** The rows of the message's table without its titles. */
function tableOf({ blocks = [] }: Message): string[][] {
  const table = blocks.find((block) => block.type === 'table');
  if (table?.type !== 'table') return [];
  return table.rows.slice(1).map((cells) => cells.map((cell) => ('text' in cell ? cell.text : '')));
}
