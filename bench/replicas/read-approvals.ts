import { serveAll } from '../../src/database/served-teams.ts';
import type { Database } from '../../src/database/tables.ts';
import { type Approval, isAboutSeveral, type Run } from '../../src/requests/approval.ts';
import type { ApprovalState } from '../../src/requests/approval-state.ts';
import { createCopyStore } from '../../src/requests/copies/copy-store.ts';
import { toApproval, withRuns } from '../../src/requests/store/approval-row.ts';
import { hasDueRun } from '../../src/requests/store/select-runs.ts';
import type { MessageRef } from '../../src/slack/api/post.ts';
import { waitFor } from './wait-for.ts';

/** A request about one subject, or one of several, with the message that its requester got, if any. */
export type ReadApproval = Approval &
  Run & {
    request: Pick<Approval, 'id' | 'state'>;
    requesterCopy: MessageRef | undefined;
  };

export async function readApprovals(db: Database): Promise<ReadApproval[]> {
  const rows = await db
    .selectFrom('approval')
    .selectAll()
    .select(withRuns)
    .orderBy('requested_at')
    .execute();
  const copies = await db
    .selectFrom('request_copy')
    .select(['approval_id', 'channel_id', 'message_ts'])
    .where('kind', '=', 'requester')
    .execute();
  const byRequest = new Map(copies.map((copy) => [copy.approval_id, copy]));
  return rows.map(toApproval).flatMap((approval) => {
    const { channel_id: channelId, message_ts: messageTs } = byRequest.get(approval.id) ?? {};
    const requesterCopy = channelId && messageTs ? { channelId, messageTs } : undefined;
    return approval.runs.map((run) => ({
      ...approval,
      ...run,
      // Counts the decisions too, which a run doesn't see.
      version: isAboutSeveral(approval) ? run.version : approval.version,
      request: approval,
      requesterCopy,
    }));
  });
}

export async function readLog(db: Database) {
  return db
    .selectFrom('audit_log')
    .select(['approval_id', 'event', 'actor', 'facts', 'at'])
    .orderBy('seq')
    .execute();
}
export type LogRow = Awaited<ReturnType<typeof readLog>>[number];

const openStates: ApprovalState[] = ['pending', 'approved', 'running', 'scheduled'];
const dayMs = 24 * 60 * 60 * 1000;

/** Waits until there is no unfinished work; resolves to what is left after `forMs`, one line each. */
export async function waitForWork(db: Database, forMs: number): Promise<string[]> {
  let unfinished: string[] = [];
  const isDone = async () => {
    unfinished = await findUnfinishedWork(db);
    return unfinished.length === 0;
  };
  await waitFor(isDone, { forMs, everyMs: 500 });
  return unfinished;
}

/** Unfinished work, one line each. */
export async function findUnfinishedWork(db: Database): Promise<string[]> {
  const waiting = await db
    .selectFrom('approval')
    .select(['id', 'state'])
    .where((eb) =>
      eb.or([eb('state', 'in', openStates), eb('wake_at', 'is not', null), hasDueRun(eb)]),
    )
    .execute();
  // As of tomorrow, so that claims of dead processes have expired.
  const at = new Date(Date.now() + dayMs);
  const since = new Date(0);
  const unpublished = await createCopyStore(db, serveAll).findUnpublished({ since, at });
  // Besides what Belay itself would look for.
  const outdated = await db
    .selectFrom('approval')
    .innerJoin('request_copy', 'approval_id', 'id')
    .select(['id', 'kind'])
    .where('approval.message_ts', 'is not', null)
    .whereRef('shown_version', '<', 'version')
    .execute();
  return [
    ...waiting.map(({ id, state }) => `${id} is ${state}`),
    ...unpublished.map(({ id }) => `${id} has an outdated message`),
    ...outdated.map(({ id, kind }) => `${id} has an outdated copy (${kind})`),
  ];
}
