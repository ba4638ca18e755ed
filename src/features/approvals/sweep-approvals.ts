import type { Clock } from '../../clock.ts';
import { UnreadableRowError, unreadableRetryMs } from '../../database/parse-rows.ts';
import { addMilliseconds, subDays } from '../../dates.ts';
import { workInTurn } from '../../jobs/work-in-turn.ts';
import type { Logger } from '../../logger.ts';
import { continueTrace, setFailed } from '../../tracing.ts';
import type { ApprovalRef } from './approval.ts';
import type { ApprovalStore } from './store/approval-store.ts';
import type { DueRef } from './store/running.ts';

type SweepDependencies = {
  store: Pick<ApprovalStore, 'findDue' | 'findUnpublished' | 'setAside'>;
  advance: (ref: ApprovalRef) => Promise<void>;
  publish: (ref: ApprovalRef) => Promise<void>;
  clock: Clock;
  log: Logger;
  /** How long a request may delay others of its workspace; tests shorten it. */
  limitMs?: number;
};

/** Requests last hours and unknown outcomes are checked for a day; Slack may be down meanwhile. */
const publishedForDays = 3;

type Work = DueRef & { kind: 'advance' | 'publish' };

/**
 * Returns a function that advances all that is due and publishes all that is not up to date. This
 * catches jobs that were given up after too many failures, or lost with the process that ran them.
 */
export function createSweep(dependencies: SweepDependencies): () => Promise<void> {
  const { store, clock, log, limitMs = 30_000 } = dependencies;
  /** What an earlier sweep started, and what is not started again before it ends. */
  const running = new Set<string>();
  const keyOf = ({ kind, id }: Work) => `${kind} ${id}`;

  async function work(one: Work): Promise<void> {
    const { kind, teamId, id, traceparent } = one;
    running.add(keyOf(one));
    await continueTrace(traceparent, 'sweep approval', () =>
      dependencies[kind]({ teamId, id }).catch((error: unknown) => {
        setFailed(error);
        throw error;
      }),
    ).finally(() => running.delete(keyOf(one)));
  }

  return async () => {
    const now = clock();
    const due = await store.findDue(now);
    const unpublished = await store.findUnpublished(subDays(now, publishedForDays), now);
    const found = [
      ...due.map((ref): Work => ({ ...ref, kind: 'advance' })),
      ...unpublished.map((ref): Work => ({ ...ref, kind: 'publish' })),
    ];
    await workInTurn(
      found.filter((one) => !running.has(keyOf(one))),
      work,
      {
        limitMs,
        async onFailed({ teamId, id }, error) {
          log.error({ approvalId: id, err: error }, 'a sweep could not process an approval');
          if (!(error instanceof UnreadableRowError)) return;
          await store.setAside({ teamId, id }, addMilliseconds(clock(), unreadableRetryMs));
        },
      },
    );
  };
}
