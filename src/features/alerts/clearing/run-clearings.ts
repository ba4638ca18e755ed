import { type Clock, isRecent } from '../../../clock.ts';
import { newLease } from '../../../database/leases.ts';
import { logUnreadable } from '../../../database/parse-rows.ts';
import type { ServiceClient } from '../../../dataprotection/client.ts';
import {
  ConflictError,
  RateLimitedError,
  RequestRejectedError,
  ServerError,
  ServiceError,
  ServiceTimeoutError,
  ServiceUnreachableError,
  UnexpectedResponseError,
} from '../../../dataprotection/http/errors.ts';
import { addMilliseconds } from '../../../dates.ts';
import { describeCause } from '../../../describe-failure.ts';
import { createDueWork, type DueWork } from '../../../jobs/due-work.ts';
import type { Logger } from '../../../logger.ts';
import { findMember } from '../../../slack/api/person.ts';
import type { SlackClients } from '../../../slack/api/slack-clients.ts';
import { mention } from '../../../slack/ui/mrkdwn.ts';
import type { Access } from '../../../workspace/access/access.ts';
import type { OpenService } from '../../../workspace/open-service.ts';
import { isApproverOrAdmin, type NamedPeople } from '../../../workspace/permissions.ts';
import type { ReportAlert } from '../alert-context.ts';
import { changeAlert, clear } from '../change-alerts.ts';
import type { Clearings } from '../store/clearings.ts';
import {
  type ClearingItem,
  type ClearingTimings,
  clearingTimings,
  type LeasedClearing,
} from './clearing.ts';

type RunDependencies = {
  clearings: Clearings;
  openService: OpenService;
  readSettings: (teamId: string) => Promise<NamedPeople>;
  access: Pick<Access, 'readPerson'>;
  clients: SlackClients;
  reportAlert: ReportAlert;
  clock: Clock;
  log: Logger;
  timings?: Partial<ClearingTimings> | undefined;
};

type Context = RunDependencies & {
  leased: LeasedClearing;
  timings: ClearingTimings;
  isStopping: () => boolean;
};

/** Clears what people have confirmed; any number of processes may do so at once. */
export function createClearingRunner({
  timings: given,
  ...dependencies
}: RunDependencies): DueWork {
  const { clearings, clock, log } = dependencies;
  const timings = { ...clearingTimings, ...given };
  let isStopping = false;
  const dueWork = createDueWork({
    async lease(limit) {
      const { parsed, unreadable } = await clearings.lease(newLease(clock, timings.leaseMs), limit);
      logUnreadable(log, unreadable);
      return parsed;
    },
    // One with many alerts is released in between, so that others have their turn.
    leasesAfterEach: true,
    work: (leased) => advance({ ...dependencies, leased, timings, isStopping: () => isStopping }),
    onFailed: ({ teamId, clearing }, error) =>
      log.error({ teamId, clearingId: clearing.id, err: error }, 'alerts could not be cleared'),
    limits: { limitMs: timings.leaseMs, maxConcurrent: 4 },
  });
  return {
    ...dueWork,
    async stop() {
      // What is left is released, and continued by the next process.
      isStopping = true;
      await dueWork.stop();
    },
  };
}

/** What this throws is tried again when the lease has ended. */
async function advance(context: Context): Promise<void> {
  const { leased, clearings, openService, clock, timings } = context;
  const { teamId, connectionId, confirmedAt } = leased.clearing;
  if (!isRecent(confirmedAt, clock(), timings.maxMs)) {
    await clearings.giveUp(leased, 'Belay stopped trying after an hour.');
  } else if (!(await mayClear(context))) {
    const who = mention(leased.clearing.createdBy);
    await clearings.giveUp(leased, `${who} is no longer an approver or admin.`);
  } else {
    const service = await openService(teamId, { connectionId });
    if (service) await clearDue(service.client, context);
    else await clearings.giveUp(leased, 'The connection to the service was changed or removed.');
  }
  await clearings.release(leased, clock());
}

async function mayClear({ leased, access, clients, readSettings }: Context): Promise<boolean> {
  const { teamId, createdBy } = leased.clearing;
  const slack = await clients.clientFor(teamId);
  const person = await findMember(access.readPerson(slack, createdBy));
  return person !== undefined && isApproverOrAdmin(person, await readSettings(teamId));
}

async function clearDue(client: ServiceClient, context: Context): Promise<void> {
  const { leased, clearings, clock, timings, isStopping } = context;
  const until = addMilliseconds(clock(), timings.workMs);
  let { postedAt } = leased.clearing;
  while (clock() < until && !isStopping()) {
    const items = await clearings.listDue(leased, { at: clock(), limit: timings.atOnce });
    if (items.length === 0) return;
    const ended = await Promise.allSettled(items.map((item) => clearItem(item, client, context)));
    const failed = ended.find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') throw failed.reason;
    const at = clock();
    if (postedAt && isRecent(postedAt, at, timings.progressMs)) continue;
    await clearings.post(leased, at);
    postedAt = at;
  }
}

/** Tries to clear one alert. @throws what isn't the service's */
async function clearItem(
  item: ClearingItem,
  client: ServiceClient,
  context: Context,
): Promise<void> {
  const { leased, clearings, clock, log, timings, reportAlert } = context;
  const { id, teamId, connectionId, createdBy: actor, note } = leased.clearing;
  const { alertId, mayBeDone } = item;
  const run = (addedNote: string | undefined) =>
    changeAlert(
      {
        client,
        connectionId,
        teamId,
        alertId,
        actor,
        addedNote,
        mayBeDone,
        now: clock,
        signal: AbortSignal.timeout(timings.callMs),
        log: (entry) => clearings.log(leased, item, entry),
        report: reportAlert,
      },
      clear,
    );
  try {
    const outcome = await run(note).catch((error: unknown) => {
      // A note that the service doesn't accept is no reason not to clear the alert.
      if (note === undefined || !(error instanceof RequestRejectedError)) throw error;
      return run(undefined);
    });
    if (outcome?.result === 'unconfirmed') {
      await retry(item, "The service accepted the change but doesn't show it.", context);
    } else {
      const isCleared = outcome?.result === 'cleared';
      const isNoteMissing = isCleared && !(outcome.alert.notes ?? '').includes(note ?? '');
      // Its entry in the audit log has recorded that it is cleared.
      if (isCleared && !isNoteMissing) return;
      const result = isCleared ? 'cleared' : outcome ? 'already_cleared' : 'not_found';
      await clearings.record(leased, item, { result, isNoteMissing });
    }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    log.warn({ teamId, clearingId: id, err: error }, 'an alert could not be cleared');
    if (isTemporary(error)) await retry(item, describeCause(error), context);
    else await clearings.giveUp(leased, describeCause(error), item);
  }
}

async function retry(
  item: ClearingItem,
  cause: string,
  { leased, clearings, clock, timings }: Context,
): Promise<void> {
  const { retryMs, maxAttempts } = timings;
  if (item.attempts + 1 >= maxAttempts) return clearings.giveUp(leased, cause, item);
  const dueAt = addMilliseconds(clock(), retryMs * 2 ** item.attempts);
  return clearings.retry(leased, item, dueAt);
}

function isTemporary(error: ServiceError): boolean {
  return [
    ConflictError,
    RateLimitedError,
    ServerError,
    ServiceTimeoutError,
    ServiceUnreachableError,
    UnexpectedResponseError,
  ].some((kind) => error instanceof kind);
}
