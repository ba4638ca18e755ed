import { sql, type Transaction } from 'kysely';
import type { Tables } from '../../../database/tables.ts';
import type { EnqueueMessages } from '../../../outbox/enqueue.ts';
import type { Judge, NotifiedAs, ReadAlert, SeenAlert, Watch } from '../watch.ts';
import { destinationOf, rememberAlerts, seenRow, toSeen } from './watch-row.ts';

type Seen = Map<string, SeenAlert>;

/** What the watches have seen of these alerts so far. */
export async function seenOf(
  trx: Transaction<Tables>,
  watches: Watch[],
  alerts: ReadAlert[],
): Promise<Seen> {
  if (watches.length === 0 || alerts.length === 0) return new Map();
  const rows = await trx
    .selectFrom('watched_alert')
    .selectAll()
    .where(
      'watch_id',
      'in',
      watches.map(({ id }) => id),
    )
    .where(sql<boolean>`alert_key = any(${alerts.map(({ key }) => key)}::text[])`)
    .execute();
  return new Map(rows.map((row) => [seenKey(row.watch_id, row.alert_key), toSeen(row)]));
}

type Recording = {
  watch: Watch;
  alerts: ReadAlert[];
  at: Date;
  seen: Seen;
  judge: Judge;
  enqueueMessages: EnqueueMessages;
};

/** Queues what is to be told of a page's alerts, and remembers them with how they were told. */
export async function recordForWatch(
  trx: Transaction<Tables>,
  { watch, alerts, at, seen, judge, enqueueMessages }: Recording,
): Promise<void> {
  const judged = alerts.flatMap((read) => {
    const { key, readAt } = read;
    const before = seen.get(seenKey(watch.id, key));
    const verdict = judge(watch, read, before);
    return verdict ? [{ key, readAt, before, ...verdict }] : [];
  });
  if (judged.length === 0) return;

  const outgoing = judged.flatMap((one) => one.outgoing ?? []);
  const queued =
    outgoing.length > 0 ? await enqueueMessages(trx, destinationOf(watch), outgoing, at) : [];
  const toldBySubject = new Map(queued.map(({ subject, as }) => [subject, as]));
  const told = judged.map((one) => {
    const now = one.outgoing && (toldBySubject.get(one.outgoing.subject) ?? 'own');
    return {
      ...one,
      before: one.before?.notifiedAs,
      notifiedAs: now ?? one.before?.notifiedAs ?? 'not_told',
      notifiedAt: now ? at : one.before?.notifiedAt,
    };
  });
  await rememberAlerts(
    trx,
    told.map(({ key, ...one }) => seenRow({ ...one, watchId: watch.id, alertKey: key })),
  );
  await addToCounts(trx, watch, told);
}

async function addToCounts(
  trx: Transaction<Tables>,
  { id }: Watch,
  told: { before: NotifiedAs | undefined; notifiedAs: NotifiedAs }[],
): Promise<void> {
  const added = (as: NotifiedAs) =>
    told.filter((one) => one.notifiedAs === as).length -
    told.filter((one) => one.before === as).length;
  const [posted, counted] = [added('own'), added('counted')];
  if (posted === 0 && counted === 0) return;
  await trx
    .updateTable('watch')
    .set((eb) => ({
      posted_count: eb('posted_count', '+', posted),
      counted_count: eb('counted_count', '+', counted),
    }))
    .where('id', '=', id)
    .execute();
}

function seenKey(watchId: string, alertKey: string): string {
  return `${watchId} ${alertKey}`;
}
