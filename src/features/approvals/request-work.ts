import type { Clock } from '../../clock.ts';
import { UnreadableRowError, unreadableRetryMs } from '../../database/parse-rows.ts';
import { addMilliseconds, subDays } from '../../dates.ts';
import { createDueWork, type DueWork, type DueWorkLimits } from '../../jobs/due-work.ts';
import type { Logger } from '../../logger.ts';
import { continueTrace, setFailed } from '../../tracing.ts';
import type { ApprovalRef } from './approval.ts';
import type { ApprovalStore } from './store/approval-store.ts';
import type { DueRef } from './store/running.ts';

/** Requests last hours and unknown outcomes are checked for a day; Slack may be down meanwhile. */
const publishedForDays = 3;

/**
 * The changes of requests that are due, and their outdated messages: at once after a change in this
 * process, and what became due later or was left by a process that died within a second.
 */
export function createRequestWork({
  store,
  clock,
  log,
  limits,
  ...perform
}: {
  store: Pick<ApprovalStore, 'findDue' | 'findUnpublished' | 'setAside'>;
  advance: (ref: ApprovalRef) => Promise<void>;
  publish: (ref: ApprovalRef) => Promise<void>;
  clock: Clock;
  log: Logger;
  limits?: Partial<DueWorkLimits>;
}): DueWork {
  const itemOf = (kind: 'advance' | 'publish', ref: DueRef, key: string) => ({ ...ref, kind, key });
  return createDueWork({
    limits,
    async find() {
      const at = clock();
      const due = await store.findDue(at);
      const unpublished = await store.findUnpublished(subDays(at, publishedForDays), at);
      return [
        // A request that is due in another state doesn't wait for a step that hangs.
        ...due.map((ref) => itemOf('advance', ref, `advance ${ref.id} ${ref.version}`)),
        ...unpublished.map((ref) => itemOf('publish', ref, `publish ${ref.id}`)),
      ];
    },
    work: ({ kind, teamId, id, traceparent }) =>
      continueTrace(traceparent, `${kind} request`, () =>
        perform[kind]({ teamId, id }).catch((error: unknown) => {
          setFailed(error);
          throw error;
        }),
      ),
    async onFailed({ kind, teamId, id }, error) {
      log.error({ approvalId: id, err: error }, `${failures[kind]} and will be tried again`);
      if (!(error instanceof UnreadableRowError)) return;
      // It is tried again, and fails again, if this fails.
      await store
        .setAside({ teamId, id }, addMilliseconds(clock(), unreadableRetryMs))
        .catch(() => undefined);
    },
  });
}

const failures = {
  advance: 'a request could not be advanced',
  publish: 'the messages of a request could not be updated',
};
