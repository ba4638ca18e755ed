import type { Clock } from '../clock.ts';
import { UnreadableRowError, unreadableRetryMs } from '../database/parse-rows.ts';
import { addMilliseconds, subDays } from '../dates.ts';
import { createDueWork, type DueWorkLimits } from '../jobs/due-work.ts';
import type { Logger } from '../logger.ts';
import { continueTrace, currentTraceparent, setFailed } from '../tracing.ts';
import type { Approval, ApprovalRef } from './approval.ts';
import type { ApprovalStore } from './store/approval-store.ts';
import type { ChangedRef, DueRef } from './store/running.ts';

/**
 * How old a request is whose messages are still updated. Rules give people a week to decide and another
 * to run it; then Slack may be down.
 */
const publishedForDays = 17;

/** What failed is tried again soon after an outage. */
const retry = { firstMs: 1000, lastMs: 10_000 };

const defaultLimits: Partial<DueWorkLimits> = { maxConcurrent: 40, maxPerTeam: 10 };

/** Does what is due for requests: `advance` and `publish` do it for one. */
export function createRequestWork({
  store,
  advance,
  publish,
  clock,
  log,
  limits,
}: {
  store: Pick<ApprovalStore, 'findDue' | 'findUnpublished' | 'setAside'>;
  advance: (ref: DueRef) => Promise<void>;
  /** Resolves to when it has to be called again, if it knows. */
  publish: (ref: ApprovalRef) => Promise<Date | undefined>;
  clock: Clock;
  log: Logger;
  limits?: Partial<DueWorkLimits>;
}) {
  const work =
    <Ref extends ChangedRef>(name: string, perform: (ref: Ref) => Promise<unknown>) =>
    (ref: Ref) =>
      continueTrace(ref.traceparent, name, () =>
        perform(ref).catch((error: unknown) => {
          setFailed(error);
          throw error;
        }),
      );

  const onFailed =
    (message: string) =>
    async ({ teamId, id, approvalId = id }: ChangedRef & Partial<DueRef>, error: unknown) => {
      log.error({ approvalId, err: error }, message);
      if (!(error instanceof UnreadableRowError)) return;
      // It is tried again, and fails again, if this fails.
      await store
        .setAside({ teamId, id }, addMilliseconds(clock(), unreadableRetryMs))
        .catch(() => undefined);
    };

  const advancing = createDueWork({
    find: (limit) => store.findDue(clock(), limit),
    // One that is due in another state doesn't wait for a step that hangs.
    key: ({ of, id, version }) => `${of} ${id} ${version}`,
    work: work('advance request', advance),
    onFailed: onFailed('a request could not be advanced and will be tried again'),
    limits: { ...defaultLimits, ...limits },
    retry,
  });
  const publishing = createDueWork({
    find(limit) {
      const at = clock();
      return store.findUnpublished({ since: subDays(at, publishedForDays), at, limit });
    },
    key: ({ id }) => id,
    work: work('publish request', async (ref) => {
      const again = await publish(ref);
      if (again) publishing.add([ref], again.getTime() - clock().getTime());
    }),
    onFailed: onFailed('the messages of a request could not be updated and will be tried again'),
    limits: { ...defaultLimits, ...limits },
    retry,
  });

  return {
    /** Starts what these changes have made due. They are committed. */
    start(changed: Approval[]): void {
      const at = clock();
      const traceparent = currentTraceparent();
      const refTo = ({ teamId, id, version }: Approval) => ({ teamId, id, version, traceparent });
      const isDue = ({ wakeAt }: { wakeAt: Date | undefined }) => wakeAt && wakeAt <= at;
      const requests = changed
        .filter(isDue)
        .map((one) => ({ ...refTo(one), of: 'request' as const, approvalId: one.id }));
      const runs = changed.flatMap((request) =>
        request.runs.filter(isDue).map(({ id, version }) => ({
          ...refTo(request),
          of: 'run' as const,
          approvalId: request.id,
          id,
          version,
        })),
      );
      advancing.add([...requests, ...runs]);
      publishing.add(changed.filter(hasMessages).map(refTo));
    },
    /** Advances the requests that are due by now, as one `DueWork`. */
    advance: { start: advancing.start },
    /** Updates the messages that are outdated. */
    publish: { start: publishing.start },
    /** Does everything that is due, and waits for it. */
    async finish(): Promise<void> {
      await advancing.finish();
      await publishing.finish();
    },
    /** Starts nothing anymore, and waits for what was started. */
    async stop(): Promise<void> {
      await Promise.all([advancing.stop(), publishing.stop()]);
    },
  };
}

/** A new request has none before it is posted. */
function hasMessages({ version, messageTs }: Approval): boolean {
  return version > 0 || messageTs !== undefined;
}
