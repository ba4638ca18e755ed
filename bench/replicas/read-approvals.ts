import { serveAll } from '../../src/database/served-teams.ts';
import type { Database } from '../../src/database/tables.ts';
import type { Approval } from '../../src/requests/approval.ts';
import type { ApprovalState } from '../../src/requests/approval-state.ts';
import { createCopyStore } from '../../src/requests/copies/copy-store.ts';
import { toApproval } from '../../src/requests/store/approval-row.ts';
import type { MessageRef } from '../../src/slack/api/post.ts';

/** A request with the message that its requester got, if any. */
export type ReadApproval = Approval & { requesterCopy: MessageRef | undefined };

export async function readApprovals(db: Database): Promise<ReadApproval[]> {
  const rows = await db.selectFrom('approval').selectAll().orderBy('requested_at').execute();
  const copies = await db
    .selectFrom('request_copy')
    .select(['approval_id', 'channel_id', 'message_ts'])
    .where('kind', '=', 'requester')
    .execute();
  const byRequest = new Map(copies.map((copy) => [copy.approval_id, copy]));
  return rows.map(toApproval).map((approval) => {
    const { channel_id: channelId, message_ts: messageTs } = byRequest.get(approval.id) ?? {};
    return {
      ...approval,
      requesterCopy: channelId && messageTs ? { channelId, messageTs } : undefined,
    };
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

/** Unfinished work, one line each. */
export async function findUnfinishedWork(db: Database): Promise<string[]> {
  const waiting = await db
    .selectFrom('approval')
    .select(['id', 'state'])
    .where((eb) =>
      eb.or([
        eb('state', 'in', openStates),
        eb.and([eb('state', '=', 'outcome_unknown'), eb('wake_at', 'is not', null)]),
      ]),
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
    .where('parent_id', 'is', null)
    .where('approval.message_ts', 'is not', null)
    .whereRef('shown_version', '<', 'version')
    .execute();
  return [
    ...waiting.map(({ id, state }) => `${id} is ${state}`),
    ...unpublished.map(({ id }) => `${id} has an outdated message`),
    ...outdated.map(({ id, kind }) => `${id} has an outdated copy (${kind})`),
  ];
}
