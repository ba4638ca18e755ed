import type { ExpressionBuilder, Transaction } from 'kysely';
import type { Database, Tables } from '../../database/tables.ts';
import type { MessageRef } from '../../slack/api/post.ts';
import { isUserGroup } from '../../workspace/members.ts';
import type { Approval, ApprovalRef } from '../approval.ts';
import type { CopyKind } from '../store/tables.ts';

/** One message about a request: the one in its channel, or a direct one. */
export type Copy = {
  kind: CopyKind;
  /** Whose direct message it is; empty for the channel. */
  slackUserId: string;
  /** The version of the request that it shows, or that needed no message. */
  shownVersion: number;
  /** Undefined before it is sent. */
  message: MessageRef | undefined;
  /** When Belay first tried to send it: it may be in Slack without its place being recorded. */
  attemptedAt: Date | undefined;
};
export type CopyRef = Pick<Copy, 'kind' | 'slackUserId'>;

/**
 * Finds the direct message of this kind in a conversation when its place isn't recorded. A follower who is an
 * approver too has two.
 */
export function copyKey(kind: CopyKind, { id }: Pick<ApprovalRef, 'id'>): string {
  return kind === 'approver' ? `${id}:approver` : id;
}

/** Below the version of a new request, so that it is behind until its message is sent, or not needed. */
const beforeFirstVersion = -1;

/** Above all versions, so that approvers who need no message for the first one never get one. */
export const needsNoMessage = 2_147_483_647;

/** The copies of a new request: its message in the channel, and one for each person. */
export async function createCopies(
  trx: Transaction<Tables>,
  approval: Pick<Approval, 'teamId' | 'id' | 'requester'> & { approvers: string[] },
): Promise<void> {
  // A new request is no news for the requester, and the channel's message shows it.
  const shownVersion = 0;
  await insertCopies(trx, approval, [
    { ...channelCopy, shownVersion },
    { kind: 'requester', slackUserId: approval.requester, shownVersion },
    ...approverCopies(approval, approval.approvers),
  ]);
}

/** Adds somebody who gets the same direct messages as the requester, from the next version on. */
export async function addFollower(
  trx: Transaction<Tables>,
  approval: Approval,
  slackUserId: string,
): Promise<void> {
  const { version: shownVersion } = approval;
  await insertCopies(trx, approval, [{ kind: 'follower', slackUserId, shownVersion }]);
}

/** Lets the next version reach the requester in a new message: nobody sees that an old one was edited. */
export async function renewRequesterCopy(
  trx: Transaction<Tables>,
  { teamId, id }: ApprovalRef,
): Promise<void> {
  await trx
    .updateTable('request_copy')
    .set({ channel_id: null, message_ts: null, attempted_at: null })
    .where('team_id', '=', teamId)
    .where('approval_id', '=', id)
    .where('kind', '=', 'requester')
    .execute();
}

/** All messages about a request. */
export async function readCopies(db: Database, approval: Approval): Promise<Copy[]> {
  const rows = await selectCopies(db, approval).execute();
  return rows.map((row) => toCopy(row, approval));
}

export const channelCopy = { kind: 'channel', slackUserId: '' } as const;

type NewCopy = CopyRef & Pick<Copy, 'shownVersion'>;

/** The members of a group are notified by its mention in the channel. */
export function approverCopies(
  { requester }: Pick<Approval, 'requester'>,
  approvers: string[],
): NewCopy[] {
  return approvers
    .filter((id) => id !== requester && !isUserGroup(id))
    .map((slackUserId) => ({ kind: 'approver', slackUserId, shownVersion: beforeFirstVersion }));
}

/** Those that exist stay as they are. */
export async function insertCopies(
  db: Database | Transaction<Tables>,
  { teamId, id }: ApprovalRef,
  copies: NewCopy[],
): Promise<void> {
  if (copies.length === 0) return;
  await db
    .insertInto('request_copy')
    .values(
      copies.map(({ kind, slackUserId, shownVersion }) => ({
        team_id: teamId,
        approval_id: id,
        kind,
        slack_user_id: slackUserId,
        shown_version: shownVersion,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export function selectCopies(db: Database, { teamId, id }: ApprovalRef) {
  return db
    .selectFrom('request_copy')
    .select(['kind', 'slack_user_id', 'shown_version', 'attempted_at'])
    .select(['request_copy.channel_id', 'request_copy.message_ts'])
    .where('request_copy.team_id', '=', teamId)
    .where('approval_id', '=', id);
}

type CopyRow = Awaited<ReturnType<ReturnType<typeof selectCopies>['executeTakeFirstOrThrow']>>;

export function toCopy(row: CopyRow, { channelId, messageTs }: Approval): Copy {
  const { kind, channel_id, message_ts } = row;
  // The place of the message in the channel is stored with the request.
  const [channel, ts] = kind === 'channel' ? [channelId, messageTs] : [channel_id, message_ts];
  return {
    kind,
    slackUserId: row.slack_user_id,
    shownVersion: row.shown_version,
    message: channel && ts ? { channelId: channel, messageTs: ts } : undefined,
    attemptedAt: row.attempted_at ?? undefined,
  };
}

/** What makes a request due to be published again, also while a process publishes it. */
export function publishAgain(eb: ExpressionBuilder<Tables, 'approval'>) {
  return {
    published_version: eb(eb.fn<number>('least', ['published_version', 'version']), '-', 1),
  };
}

export function hasCopiesBehind(eb: ExpressionBuilder<Tables, 'approval'>) {
  return eb.exists(
    eb
      .selectFrom('request_copy')
      .select('kind')
      .whereRef('request_copy.team_id', '=', 'approval.team_id')
      .whereRef('approval_id', '=', 'approval.id')
      .whereRef('shown_version', '<', 'approval.version'),
  );
}
