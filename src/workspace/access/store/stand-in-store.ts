import { randomUUID } from 'node:crypto';
import type { Selectable, Transaction } from 'kysely';
import type { AppendEntry } from '../../../audit-log/append.ts';
import type { Database, Tables } from '../../../database/tables.ts';
import { purgeTables } from '../../../database/team-purge.ts';
import { enqueueMessages } from '../../../postings/outbox/enqueue.ts';
import type { Message } from '../../../slack/ui/blocks.ts';
import { lockSavedSettings } from '../../store/save-setup.ts';

type Trx = Transaction<Tables>;

/** Who decides for an approver, until when. Slack user ids. */
export type StandIn = { approver: string; standIn: string; endsAt: Date };

/** Limited so that a forgotten stand-in ends automatically. */
export const maxStandInDays = 60;

/** A message about a stand-in, to a channel or, by a Slack user id, to a person. */
type StandInNotice = { to: string; message: Message };

type StandInHooks = {
  append: AppendEntry;
  /** Updates the pending requests: others can decide them now. */
  onStandInsChanged: (trx: Trx, teamId: string) => Promise<void>;
};

type NewStandIn = StandIn & {
  teamId: string;
  at: Date;
  /** `before`: the stand-in that this one replaces. */
  notices: (before: StandIn | undefined) => StandInNotice[];
};

type EndedStandIn = {
  teamId: string;
  approver: string;
  /** Slack user id: the approver or an admin. */
  by: string;
  at: Date;
  notices: (ended: StandIn) => StandInNotice[];
};

export type StandInStore = ReturnType<typeof createStandInStore>;

/** Stand-ins that approvers name: at most one for each approver. */
export function createStandInStore(db: Database, { append, onStandInsChanged }: StandInHooks) {
  /** Sorted, because each enqueued message locks its channel. */
  async function notify(
    trx: Trx,
    { teamId, approver, at }: Pick<NewStandIn, 'teamId' | 'approver' | 'at'>,
    notices: StandInNotice[],
  ) {
    const subject = `stand-in:${randomUUID()}`;
    for (const { to, message } of notices.toSorted((one, other) => (one.to < other.to ? -1 : 1))) {
      const destination = { teamId, channelId: to, ownerSlackUserId: approver };
      await enqueueMessages(trx, destination, [{ subject, message }], at);
    }
  }

  return {
    /** Those that haven't ended, by approver. */
    list: (teamId: string, at: Date): Promise<StandIn[]> => readStandIns(db, teamId, at),

    /** Replaces the approver's stand-in. */
    name: ({ teamId, approver, standIn, endsAt, at, notices }: NewStandIn): Promise<void> =>
      db.transaction().execute(async (trx) => {
        const before = await deleteStandIn(trx, { teamId, approver, at });
        const named = { stand_in: standIn, ends_at: endsAt };
        await trx
          .insertInto('stand_in')
          .values({ team_id: teamId, approver, ...named })
          .onConflict((conflict) => conflict.columns(['team_id', 'approver']).doUpdateSet(named))
          .execute();
        await onStandInsChanged(trx, teamId);
        await notify(trx, { teamId, approver, at }, notices(before));
        const entry = { teamId, at, actor: approver };
        if (before && before.standIn !== standIn) {
          await append(trx, { ...entry, event: 'stand_in_ended', facts: factsOf(before) });
        }
        const facts = { ...factsOf({ approver, standIn }), until: endsAt.toISOString() };
        await append(trx, { ...entry, event: 'stand_in_named', facts });
      }),

    /** Undefined if the approver has none. */
    end: ({ teamId, approver, by, at, notices }: EndedStandIn): Promise<StandIn | undefined> =>
      db.transaction().execute(async (trx) => {
        const ended = await deleteStandIn(trx, { teamId, approver, at });
        if (!ended) return undefined;
        await onStandInsChanged(trx, teamId);
        await notify(trx, { teamId, approver, at }, notices(ended));
        const facts = factsOf(ended);
        await append(trx, { teamId, at, actor: by, event: 'stand_in_ended', facts });
        return ended;
      }),
  };
}

/** Those of a workspace that haven't ended, by approver. */
export async function readStandIns(db: Database, teamId: string, at: Date): Promise<StandIn[]> {
  const rows = await db
    .selectFrom('stand_in')
    .select(['approver', 'stand_in', 'ends_at'])
    .where('team_id', '=', teamId)
    .where('ends_at', '>', at)
    .orderBy('approver')
    .execute();
  return rows.map(toStandIn);
}

/** Undefined if the approver had none, or one that had ended. Locks the settings first. */
async function deleteStandIn(
  trx: Trx,
  { teamId, approver, at }: { teamId: string; approver: string; at: Date },
): Promise<StandIn | undefined> {
  await lockSavedSettings(trx, teamId).execute();
  const row = await trx
    .deleteFrom('stand_in')
    .where('team_id', '=', teamId)
    .where('approver', '=', approver)
    .returning(['approver', 'stand_in', 'ends_at'])
    .executeTakeFirst();
  return row && row.ends_at > at ? toStandIn(row) : undefined;
}

type StandInRow = Pick<Selectable<Tables['stand_in']>, 'approver' | 'stand_in' | 'ends_at'>;

function toStandIn({ approver, stand_in: standIn, ends_at: endsAt }: StandInRow): StandIn {
  return { approver, standIn, endsAt };
}

function factsOf({ approver, standIn }: Pick<StandIn, 'approver' | 'standIn'>) {
  return { approver, standIn };
}

export const purgeStandIns = purgeTables('stand_in');
