import { addYears } from 'date-fns/addYears';
import { subDays } from 'date-fns/subDays';
import { waitFor } from '../replicas/wait-for.ts';
import type { ManyWorkspaces } from './open-workspaces.ts';

/** What was due at one moment, and when each of it was done. */
export type Run = {
  /** Polls or digests. */
  done: number;
  /** Requests to the service for them. */
  requests: number;
  /** From the first request to the service until nothing was left. */
  seconds: number;
  /** How many of them were done by then, in milliseconds since that first request, in order. */
  doneAtMs: number[];
};

const settleMs = 60_000;

/** Makes the poll of every workspace due, and waits until each was polled. */
export async function runPolls(many: ManyWorkspaces, { forMs }: { forMs: number }): Promise<Run> {
  const { db, service, workspaces } = many;
  const polled = new Set<string>();
  const doneAtMs: number[] = [];
  let [firstAt, done] = [0, 0];
  service.setOnHandled(({ path, headers }) => {
    if (!isPoll(path)) return;
    firstAt ||= performance.now();
    done += 1;
    const { authorization = '' } = headers;
    if (polled.has(authorization)) return;
    polled.add(authorization);
    doneAtMs.push(performance.now() - firstAt);
  });
  await db.updateTable('alert_poll').set({ next_poll_at: new Date() }).execute();
  const isDone = await waitFor(() => polled.size === workspaces.length, { forMs, everyMs: 50 });
  await endPolls(many);
  service.setOnHandled(undefined);
  if (!isDone) throw new Error(`only ${polled.size} of ${workspaces.length} were polled`);
  return { done, requests: done, seconds: (doneAtMs.at(-1) ?? 0) / 1000, doneAtMs };
}

/** The first page of a list of alerts. */
export function isPoll(path: string): boolean {
  return path.startsWith('/alerts') && !path.includes('start=');
}

/** Makes no poll due, once those that run have ended. */
export async function endPolls({ db }: Pick<ManyWorkspaces, 'db'>): Promise<void> {
  const never = addYears(new Date(), 10);
  await waitFor(
    async () => {
      await db
        .updateTable('alert_poll')
        .set({ next_poll_at: never })
        .where('lease_holder', 'is', null)
        .execute();
      const left = await db
        .selectFrom('alert_poll')
        .select('connection_id')
        .where('next_poll_at', '<', never)
        .limit(1)
        .execute();
      return left.length === 0;
    },
    { forMs: settleMs, everyMs: 20 },
  );
}

/** Makes the digests of the first `count` workspaces due, and waits until all are posted. */
export async function runDigests(
  { db, service, slack, workspaces }: ManyWorkspaces,
  { count, forMs }: { count: number; forMs: number },
): Promise<Run> {
  let [firstAt, requests] = [0, 0];
  service.setOnHandled(() => {
    firstAt ||= Date.now();
    requests += 1;
  });
  const before = slack.calls.length;
  const postTimes = () =>
    slack.calls
      .slice(before)
      .filter(({ method }) => method === 'chat.postMessage')
      .map(({ at }) => at.getTime());
  const now = new Date();
  await db
    .updateTable('digest')
    .set({ next_run_at: now, covered_until: subDays(now, 1) })
    .where(
      'team_id',
      'in',
      workspaces.slice(0, count).map(({ teamId }) => teamId),
    )
    .execute();
  await waitFor(() => postTimes().length >= count, { forMs, everyMs: 200 });
  service.setOnHandled(undefined);
  const doneAtMs = postTimes().map((at) => at - firstAt);
  if (doneAtMs.length !== count) throw new Error(`${doneAtMs.length} of ${count} digests came`);
  return { done: count, requests, seconds: (doneAtMs.at(-1) ?? 0) / 1000, doneAtMs };
}

/**
 * How many were done a second after the first `settleMs`, in which processes that look for work at
 * different moments have all begun.
 */
export function rateAfter({ doneAtMs }: Run, settleMs: number): number {
  const counted = doneAtMs.filter((at) => at > settleMs);
  return (counted.length * 1000) / ((counted.at(-1) ?? Number.NaN) - settleMs);
}
