import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Checkpoint } from '../../src/audit-log/compare-checkpoints.ts';
import { verifyAuditLog } from '../../src/audit-log/verify.ts';
import type { Database } from '../../src/database/tables.ts';
import type { Approval } from '../../src/requests/approval.ts';
import { readCheckpoints } from '../../test/support/read-checkpoints.ts';
import type { LogRow } from './read-approvals.ts';
import type { TestBed } from './test-bed.ts';

/** Verifies the audit log against the checkpoint files of all replicas. */
export async function verifyLog(db: Database, { env, folder }: Pick<TestBed, 'env' | 'folder'>) {
  const keys = [Buffer.from(env.BELAY_ENCRYPTION_KEYS ?? '', 'base64')];
  const checkpoints: Checkpoint[] = [];
  const violations: string[] = [];
  for (const file of readdirSync(folder).filter((name) => name.startsWith('checkpoints'))) {
    const read = await readCheckpoints(join(folder, file), keys);
    checkpoints.push(...read.checkpoints);
    violations.push(...read.faults);
  }
  const reports = await verifyAuditLog(db, keys, checkpoints);
  for (const { firstBreak } of reports) if (firstBreak) violations.push(`log: ${firstBreak}`);
  const entries = reports.reduce((sum, report) => sum + report.entries, 0);
  return { log: { entries, checkpoints: checkpoints.length }, violations };
}

const decisions = new Set(['approved', 'denied', 'withdrawn']);

/** Checks that the log has each change once, with every approval and the decision, and the outcome. */
export function checkEntries(approval: Approval, entries: LogRow[]): string[] {
  const events = entries.map(({ event }) => event).filter((event) => event !== 'refused');
  const decided = entries.filter(({ event }) => decisions.has(event));
  const last = events.at(-1);
  const end = approval.state === 'pending' ? 'requested' : approval.state;
  const deciders = decidersOf(approval);
  return [
    ...(events[0] === 'requested' ? [] : ['the log does not begin with the request']),
    ...(events.length === approval.version + 1
      ? []
      : [`the row changed ${approval.version} times, the log has ${events.length - 1} changes`]),
    ...(decided.map(({ actor }) => actor).join() === deciders.join()
      ? []
      : [`the log has ${decided.length} decisions, which differ from those of the row`]),
    ...(last === end ? [] : [`the log ends with ${last}, the row is ${approval.state}`]),
  ];
}

/** The people whose clicks counted, in order: the approvers, then the one who denied or withdrew it. */
export function decidersOf({ state, votes, decidedBy }: Approval): string[] {
  const approvers = votes.map(({ by }) => by);
  const isEnded = decidedBy !== undefined && (state === 'denied' || state === 'withdrawn');
  return isEnded ? [...approvers, decidedBy] : approvers;
}
