import type { Message } from '../../../playground/slack/protocol.ts';
import type { Approval } from '../../../src/requests/approval.ts';
import { checkEffect, effectsOf, type Write } from '../../replicas/check-effect.ts';
import { checkEntries } from '../../replicas/check-log.ts';
import { type ReadApproval, readApprovals, readLog } from '../../replicas/read-approvals.ts';
import { readCopies } from '../../replicas/read-copies.ts';
import type { ChaosSetup } from '../chaos-setup.ts';
import type { SimulatedBulk } from './simulate-bulk.ts';

/** The expected text of a user's row in each state, independent of the code that renders it. */
const wordsOf: Partial<Record<Approval['state'], RegExp>> = {
  completed: /^(Disabled|Deleted|No change was needed)$/,
  canceled: /^Deletion canceled$/,
  failed: /^(Failed|The deletion was canceled, but)/,
  voided: /^(Not changed|Not deleted|Not disabled)/,
  outcome_unknown: /^(Unknown outcome|The deletion was canceled\. Belay doesn't know)/,
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
  const requests = Map.groupBy(approvals, ({ request }) => request.id);
  const violations: string[] = [];
  let repeats = 0;
  if (requests.size > simulated.length) {
    violations.push(`${requests.size} requests from ${simulated.length} forms`);
  }
  for (const { users, verb } of simulated) {
    for (const user of users) {
      const own = approvals.filter(({ subjectId }) => subjectId === user.id);
      const sent = writes.get(user.id) ?? [];
      const [run] = own;
      const say = (fault: string) => violations.push(`${run?.id ?? user.id}: ${fault}`);
      if (!run) {
        if (sent.length > 0) say(`was sent ${sent.join(', ')} without a request`);
        continue;
      }
      if (own.length > 1) say(`${own.length} requests about one user`);
      if (run.action !== `users.${verb}`) say(`${run.action} instead of ${verb}`);
      repeats += sent.length - effectsOf(sent).length;
      const now = testBed.service.user(testBed.portal.id, user.id);
      for (const fault of [
        ...(endStates.has(run.state) ? [] : [`is ${run.state} at the end`]),
        ...checkEffect(run, { writes: sent, before: user, now }),
        ...checkEntries(run, byApproval.get(run.id) ?? []),
      ]) {
        say(fault);
      }
    }
  }
  for (const [id, own] of requests) {
    const [first] = own;
    if (!first) continue;
    const { channelId, messageTs, requesterCopy } = first;
    const message = messageTs ? seen.at(channelId, messageTs) : undefined;
    const copy = requesterCopy && seen.at(requesterCopy.channelId, requesterCopy.messageTs);
    for (const fault of [
      ...checkResults(own, message, testBed),
      ...(copy ? [] : ['its requester got no message']),
      ...(/running|Waiting for/.test(copy?.text ?? '') ? [`its copy says ${copy?.text}`] : []),
    ]) {
      violations.push(`${id}: ${fault}`);
    }
  }
  return {
    requests: [...requests.values()].flatMap(([run]) => run?.request ?? []),
    runs: approvals,
    violations,
    repeats,
  };
}

/** Whether the message has one row for each user, with the result of that user's request. */
function checkResults(
  runs: ReadApproval[],
  message: Message | undefined,
  { service, portal }: ChaosSetup['testBed'],
): string[] {
  if (!message) return ['its message is not there'];
  const rows = tableOf(message);
  // A request that was never posted in time is void as a whole, without results.
  if (runs.every(({ decidedBy }) => decidedBy === undefined)) return [];
  const faults = rows.length === runs.length ? [] : [`${rows.length} rows, not ${runs.length}`];
  for (const run of runs) {
    const id = run.subjectId;
    const email = emailOf(run) ?? service.user(portal.id, id)?.email ?? id;
    const row = rows.find(([subject = '']) => subject.includes(`(${email})`));
    const words = wordsOf[run.state];
    if (!row) faults.push(`no row for ${email}`);
    else if (!words?.test(row[1] ?? '')) faults.push(`${email} is ${run.state}, not: ${row[1]}`);
  }
  return faults;
}

function emailOf({ payload }: ReadApproval): string | undefined {
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
