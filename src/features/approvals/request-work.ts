import type { Clock } from '../../clock.ts';
import { UnreadableRowError, unreadableRetryMs } from '../../database/parse-rows.ts';
import { addMilliseconds, subDays } from '../../dates.ts';
import { createDueWork, type DueWork, type DueWorkLimits } from '../../jobs/due-work.ts';
import type { Logger } from '../../logger.ts';
import { continueTrace, currentTraceparent, setFailed } from '../../tracing.ts';
import type { Approval, ApprovalRef } from './approval.ts';
import type { ApprovalStore } from './store/approval-store.ts';
import type { DueRef } from './store/running.ts';

/**
 * How old a request is whose messages are still updated. Rules give people a week to decide and another
 * to run it; then Slack may be down.
 */
const publishedForDays = 17;

/** What there is to do for requests. */
export type RequestWork = {
  /** Starts what these changes have made due. They are committed. */
  start: (changed: Approval[]) => void;
  /** Advances the requests that are due by now, as one `DueWork`. */
  advance: Pick<DueWork<unknown>, 'start'>;
  /** Updates the messages that are outdated. */
  publish: Pick<DueWork<unknown>, 'start'>;
  /** Does everything that is due, and waits for it. */
  finish: () => Promise<void>;
  /** Starts nothing anymore, and waits for what was started. */
  stop: () => Promise<void>;
};

type Item = DueRef & { key: string };

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
  advance: (ref: ApprovalRef) => Promise<void>;
  publish: (ref: ApprovalRef) => Promise<void>;
  clock: Clock;
  log: Logger;
  limits?: Partial<DueWorkLimits>;
}): RequestWork {
  const work =
    (name: string, perform: (ref: ApprovalRef) => Promise<void>) =>
    ({ teamId, id, traceparent }: Item) =>
      continueTrace(traceparent, name, () =>
        perform({ teamId, id }).catch((error: unknown) => {
          setFailed(error);
          throw error;
        }),
      );

  const onFailed = (message: string) => async (item: Item, error: unknown) => {
    const { teamId, id } = item;
    log.error({ approvalId: id, err: error }, message);
    if (!(error instanceof UnreadableRowError)) return;
    // It is tried again, and fails again, if this fails.
    await store
      .setAside({ teamId, id }, addMilliseconds(clock(), unreadableRetryMs))
      .catch(() => undefined);
  };

  // One that is due in another state doesn't wait for a step that hangs.
  const toAdvance = (ref: DueRef): Item => ({ ...ref, key: `${ref.id} ${ref.version}` });
  const toPublish = (ref: DueRef): Item => ({ ...ref, key: ref.id });
  const advancing = createDueWork({
    limits,
    find: async (limit) => (await store.findDue(clock(), limit)).map(toAdvance),
    work: work('advance request', advance),
    onFailed: onFailed('a request could not be advanced and will be tried again'),
  });
  const publishing = createDueWork({
    limits,
    async find(limit) {
      const at = clock();
      const since = subDays(at, publishedForDays);
      return (await store.findUnpublished({ since, at, limit })).map(toPublish);
    },
    work: work('publish request', publish),
    onFailed: onFailed('the messages of a request could not be updated and will be tried again'),
  });

  return {
    start(changed) {
      const at = clock();
      const traceparent = currentTraceparent();
      const refs = changed.map((approval) => {
        const { teamId, id, version } = approval;
        return { approval, ref: { teamId, id, version, traceparent } };
      });
      const due = refs.filter(({ approval: { wakeAt } }) => wakeAt && wakeAt <= at);
      advancing.add(due.map(({ ref }) => toAdvance(ref)));
      publishing.add(
        refs.filter(({ approval }) => hasMessages(approval)).map(({ ref }) => toPublish(ref)),
      );
    },
    advance: advancing,
    publish: publishing,
    async finish() {
      await advancing.finish();
      await publishing.finish();
    },
    async stop() {
      await Promise.all([advancing.stop(), publishing.stop()]);
    },
  };
}

/** A new request has none before it is posted, and one that belongs to a bulk request none of its own. */
function hasMessages({ parentId, version, messageTs }: Approval): boolean {
  return parentId === undefined && (version > 0 || messageTs !== undefined);
}
