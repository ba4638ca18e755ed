import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { AppendEntry } from '../../../audit-log/append.ts';
import { storable } from '../../../database/canonical-text.ts';
import { isHeldBy, type Lease, leaseRows } from '../../../database/leases.ts';
import type { ServedTeams } from '../../../database/served-teams.ts';
import type { Database } from '../../../database/tables.ts';
import type { Alert } from '../../../dataprotection/resources/alerts.ts';
import type { Outgoing } from '../../../postings/outbox/message.ts';
import { createTurns } from '../../../turns.ts';
import type { EnqueueNamed } from '../../../workspace/enqueue-named.ts';
import {
  alertKey,
  type ChangeAlertState,
  type DueState,
  endAlertStates,
  findDueStates,
  readAlertStates,
  type ShowAlertState,
  storeStateChange,
} from '../../alerts/index.ts';
import { outageOverNotice } from '../views/outage-notices.ts';
import type { OrphanedWatches, Poll, ReadAlert, Watch } from '../watch.ts';
import {
  changeLease,
  isPolled,
  releasedUntil,
  toPollState,
  withoutOutage,
} from './alert-poll-lease.ts';
import { enqueuePerChannel, type MovePlan, moveWatches } from './move-watches.ts';
import { lockPoll, lockWatches, readPollWatches, readWarned } from './read-watches.ts';
import { recordAlerts, recordObserved, recordSnoozeEnd, recordState } from './record-alerts.ts';
import { markColumns } from './watch-row.ts';

/** Of owners and snoozes, to store and to show, at once in one workspace by one process. */
const maxStateChanges = 3;

export type PollStore = ReturnType<typeof createPollStore>;

/**
 * What polling reads and writes. Everything that takes a `poll` writes only while it holds the lease;
 * false means that another process has taken it over.
 */
export function createPollStore(
  db: Database,
  {
    enqueueMessages,
    append,
    isServed,
  }: { enqueueMessages: EnqueueNamed; append: AppendEntry; isServed: ServedTeams },
) {
  /** They wait for the audit log, each on a database connection that other work needs too. */
  const takeTurn = createTurns(maxStateChanges);

  const changeState: ChangeAlertState = (input) =>
    takeTurn(`change ${input.teamId}`, async () => {
      const { createEntry, directMessage, ...of } = input;
      const { teamId, originId, alert, change, at } = of;
      const key = alertKey(alert);
      const before = (await readAlertStates(db, of, [key])).get(key);
      // Many click at once: only the first ones need locks.
      if (before?.owner && change.what === 'acknowledge')
        return { isChanged: false, state: before };
      return db.transaction().execute(async (trx) => {
        // A poll queues direct messages too, before it ends states.
        if (directMessage) await lockPoll(trx, of);
        const isChanged = await storeStateChange(trx, of, of);
        const state = (await readAlertStates(trx, of, [key])).get(key);
        if (isChanged) {
          if (directMessage && change.what === 'assign') {
            const to = { teamId, originId, channelId: change.to, ownerSlackUserId: change.to };
            const subject = `alert-owner:${randomUUID()}`;
            await enqueueMessages(trx, to, [{ subject, message: directMessage }], at);
          }
          await append(trx, createEntry(state?.title ?? alert.title));
        }
        return { isChanged, state };
      });
    });

  const showState: ShowAlertState = ({ alert, readAt, ...of }) =>
    takeTurn(`show ${of.teamId}`, () =>
      db.transaction().execute(async (trx) => {
        const read = { key: alertKey(alert), alert, readAt };
        const { isOutdated } = await recordState(trx, { ...of, read, enqueueMessages });
        const states = await readAlertStates(trx, of, [read.key]);
        return { isOutdated, state: states.get(read.key) };
      }),
    );

  return {
    changeState,
    showState,

    findDueStates: (at: Date, limit: number): Promise<DueState[]> =>
      findDueStates(db, { at, limit, isServed }),

    /** Ends a snooze, or shows a state, with the alert as it is now; ends the state silently without one. */
    async recordDue(
      { key, until, ...on }: DueState,
      read: { connectionId: string; alert: Alert; readAt: Date } | undefined,
      at: Date,
    ): Promise<void> {
      await db.transaction().execute(async (trx) => {
        if (!read) return endAlertStates(trx, on, [key]);
        const { connectionId, ...of } = read;
        const recording = { ...on, connectionId, read: { ...of, key }, at, enqueueMessages };
        const { isOutdated } = until
          ? await recordSnoozeEnd(trx, { ...recording, until })
          : await recordState(trx, recording);
        // Rolled back, so that the next attempt reads the alert again.
        if (isOutdated) throw new Error('a later reading of the alert is stored');
      });
    },

    /**
     * Creates the polls of connections that are watched now, before they are leased. A connection that
     * replaced another is also polled for the other's watches.
     */
    async prepare(at: Date): Promise<void> {
      await sql`
        insert into alert_poll (connection_id, team_id, next_poll_at)
        select distinct c.id, c.team_id, ${at}::timestamptz
          from watch join connection c on c.team_id = watch.team_id and c.replaced_at is null
            and c.origin_id = watch.connection_origin_id
          where watch.ended_at is null and watch.paused_at is null and ${isServed('watch.team_id')}
            and not exists (select 1 from alert_poll p where p.connection_id = c.id)
        on conflict do nothing`.execute(db);
    },

    /** Takes the polls that have been due longest and that no other process holds. */
    async leaseDue(lease: Lease, limit: number): Promise<Poll[]> {
      const rows = await leaseRows(db, lease, {
        table: 'alert_poll',
        key: ['connection_id'],
        isServed,
        isDue: sql`next_poll_at <= ${lease.at} and ${isPolled}`,
        orderBy: ['next_poll_at'],
        limit,
      });
      const { holder } = lease;
      return rows.map((row) => ({ ...toPollState(row), teamId: row.team_id, holder }));
    },

    readWatches: (poll: Poll) => readPollWatches(db, poll),

    /** Frees the polls that this holder may have leased. */
    async free(holder: string, nextPollAt: Date): Promise<void> {
      await db
        .updateTable('alert_poll')
        .set(releasedUntil(nextPollAt))
        .where(isHeldBy(holder))
        .execute();
    },

    moveWatches: (poll: Poll, plan: MovePlan & { at: Date }): Promise<boolean> =>
      db.transaction().execute(async (trx) => {
        // Moved watches refer to it, and a connection is locked before its poll.
        await trx
          .selectFrom('connection')
          .select('id')
          .where('team_id', '=', poll.teamId)
          .where('id', '=', poll.connectionId)
          .forKeyShare()
          .execute();
        if (!(await changeLease(trx, poll, {}))) return false;
        await moveWatches(trx, poll, plan, enqueueMessages);
        return true;
      }),

    /** Records a page and renews the lease; without alerts, only the lease. */
    recordPage: (
      poll: Poll,
      page: { watches: Watch[]; alerts: ReadAlert[]; at: Date; leaseUntil: Date },
    ): Promise<boolean> =>
      db.transaction().execute(async (trx) => {
        const { alerts, at, leaseUntil } = page;
        if (!(await changeLease(trx, poll, { lease_until: leaseUntil }))) return false;
        const watches = await lockWatches(trx, page.watches);
        await recordAlerts(trx, { watches, alerts, at, enqueueMessages });
        return true;
      }),

    recordObserved: (read: {
      teamId: string;
      connectionId: string;
      alerts: ReadAlert[];
      at: Date;
    }): Promise<void> =>
      db.transaction().execute((trx) => recordObserved(trx, { ...read, enqueueMessages })),

    /** Moves the marks forward (unless `highWater` is undefined), ends the outage and the lease. */
    finish: (
      poll: Poll,
      done: {
        watches: Watch[];
        highWater: { at: Date; alertId: string } | undefined;
        startedAt: Date;
        at: Date;
        nextPollAt: Date;
      },
    ): Promise<void> =>
      db.transaction().execute(async (trx) => {
        const { highWater, startedAt, at, nextPollAt } = done;
        if (!(await changeLease(trx, poll, { ...withoutOutage, ...releasedUntil(nextPollAt) })))
          return;
        const watches = await lockWatches(trx, done.watches);
        if (highWater && watches.length > 0) {
          await trx
            .updateTable('watch')
            .set(markColumns(highWater))
            .where('team_id', '=', poll.teamId)
            .where(
              'id',
              'in',
              watches.map(({ id }) => id),
            )
            // A watch that was resumed meanwhile has a later mark.
            .where((eb) =>
              eb.or([eb('high_water', 'is', null), eb('high_water', '<=', highWater.at)]),
            )
            .execute();
        }
        const { connectionId, outage } = poll;
        if (!outage?.notifiedAt) return;
        const warned = await readWarned(trx, poll, outage.notifiedAt);
        const ref = { connectionId, since: outage.since };
        await enqueuePerChannel(
          trx,
          { watches: warned, at, enqueueMessages },
          (channel, channelId) => [
            outageOverNotice(ref, startedAt, { watches: channel, channelId }),
          ],
        );
      }),

    /** Counts a failure of the poll's own or of orphaned watches. The lease is kept. */
    fail: (
      poll: Poll,
      failure: {
        of: OrphanedWatches;
        /** Mrkdwn. */
        reason: string;
        at: Date;
        /** Counts as one more failed lookup in a row; any other failure resets that count. */
        isFailedLookup: boolean;
        /** For each channel, if they are to be warned. */
        noticeFor: ((channelId: string) => Outgoing) | undefined;
      },
    ): Promise<void> =>
      db.transaction().execute(async (trx) => {
        if (!(await changeLease(trx, poll, {}))) return;
        const { of, reason, at, isFailedLookup, noticeFor } = failure;
        const state = {
          failures: of.failures + 1,
          failed_lookups: isFailedLookup ? of.failedLookups + 1 : 0,
          // It may quote the service.
          outage_reason: storable(reason),
          outage_since: of.outage?.since ?? at,
          ...(noticeFor && { outage_notified_at: at }),
        };
        const key = { connection_id: of.connectionId, team_id: poll.teamId };
        await trx
          .insertInto('alert_poll')
          .values({ ...key, next_poll_at: at, ...state })
          .onConflict((conflict) => conflict.column('connection_id').doUpdateSet(state))
          .execute();
        if (!noticeFor) return;
        const watches = await lockWatches(trx, of.watches);
        await enqueuePerChannel(trx, { watches, at, enqueueMessages }, (_, channelId) => [
          noticeFor(channelId),
        ]);
      }),

    /** Ends the lease. */
    async release(poll: Poll, nextPollAt: Date): Promise<void> {
      await changeLease(db, poll, releasedUntil(nextPollAt));
    },
  };
}
