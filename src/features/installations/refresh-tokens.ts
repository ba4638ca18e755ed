import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../clock.ts';
import { newLease } from '../../database/leases.ts';
import { retryWhileLeased } from '../../database/retry-while-leased.ts';
import { addMilliseconds, addSeconds } from '../../dates.ts';
import { createDueWork } from '../../jobs/due-work.ts';
import type { Logger } from '../../logger.ts';
import type { RefreshAnswer, TokenPair } from '../../slack/api/refresh-token.ts';
import type { LeasedRefresh, RefreshStore } from './store/refresh-store.ts';
import { timings } from './timings.ts';

/**
 * The result of an exchange. `recovered`: a retry after an attempt without an answer succeeded; `lost`:
 * it was refused, because Slack's answer to the earlier attempt was lost; `unknown`: no answer.
 */
type RefreshOutcome = 'refreshed' | 'recovered' | 'refused' | 'lost' | 'unknown' | 'failed';

export type RefreshDependencies = {
  store: RefreshStore;
  exchange: (refreshToken: string) => Promise<RefreshAnswer>;
  clock: Clock;
  log: Logger;
  /** Called by the background work after a refusal was recorded. */
  onRefused?: (() => Promise<void>) | undefined;
  onRefreshed?: ((refresh: { outcome: RefreshOutcome; isRetry: boolean }) => void) | undefined;
};

/**
 * Exchanges refresh tokens: each in one process at a time, and again only after an attempt whose
 * outcome is unknown, because Slack refuses a used token for good, which ends the installation.
 */
export function createTokenRefresher(dependencies: RefreshDependencies) {
  const { store, exchange, clock, log, onRefused, onRefreshed } = dependencies;
  const underWay = new Map<string, Promise<void>>();

  /** Undefined if there was nothing to exchange, because the token can't be decrypted. */
  async function refresh(leased: LeasedRefresh): Promise<RefreshOutcome | undefined> {
    const { id, teamId, attempt, refreshToken } = leased;
    const refreshLog = log.child({ teamId, installationId: id, attempt });
    if (refreshToken === undefined) {
      refreshLog.error("the refresh token can't be decrypted");
      const after = addMilliseconds(clock(), timings.maxWaitMs);
      await store.postpone(leased, { after, isOutcomeUnknown: false });
      return undefined;
    }
    const isRetry = attempt > 1;
    if (isRetry) {
      refreshLog.warn('refreshing the bot token again, because an earlier attempt had no answer');
    }
    const outcome = await record(leased, await exchange(refreshToken), refreshLog);
    onRefreshed?.({ outcome, isRetry });
    return outcome;
  }

  async function record(
    leased: LeasedRefresh,
    answer: RefreshAnswer,
    refreshLog: Logger,
  ): Promise<RefreshOutcome> {
    const isRetry = leased.attempt > 1;
    if (answer.result === 'granted') {
      await storePair(leased, answer.pair, refreshLog);
      if (isRetry) refreshLog.info('a retry refreshed the bot token');
      return isRetry ? 'recovered' : 'refreshed';
    }
    if (answer.result === 'refused') {
      const { code } = answer;
      const hasEnded = await store.refuse(leased, { code, at: clock() });
      if (hasEnded) {
        refreshLog.error(
          { reference: referenceOf(leased), code, isAnswerLost: isRetry },
          'Slack refused the refresh token: Belay must be installed again in this workspace',
        );
      }
      return isRetry ? 'lost' : 'refused';
    }
    const { isOutcomeUnknown, retryAfterMs, error } = answer;
    const waitMs = retryAfterMs ?? waitAfter(leased, isOutcomeUnknown);
    refreshLog.warn(
      { isOutcomeUnknown, waitMs, err: error },
      'the bot token was not refreshed; another attempt follows',
    );
    const after = addMilliseconds(clock(), waitMs);
    await store.postpone(leased, { after, isOutcomeUnknown });
    return isOutcomeUnknown ? 'unknown' : 'failed';
  }

  /** The old tokens no longer work, so the new pair stays in memory until the database has it. */
  async function storePair(
    leased: LeasedRefresh,
    { botToken, refreshToken, expiresInSeconds }: TokenPair,
    refreshLog: Logger,
  ): Promise<void> {
    const now = clock();
    const expiresAt = addSeconds(now, expiresInSeconds);
    const until = addMilliseconds(now, timings.storeMs);
    const replace = () => store.replace(leased, { botToken, refreshToken, expiresAt });
    const isStored = await retryWhileLeased(replace, { until, clock, log: refreshLog });
    if (!isStored) refreshLog.warn('the tokens were replaced while they were refreshed');
  }

  let failuresInARow = 0;
  let exchanging = 0;
  const refreshDue = createDueWork({
    async prepare() {
      // Those that run may be about to fail.
      if (exchanging === 0) failuresInARow = 0;
    },
    async lease(limit) {
      // An outage of Slack must not cost an attempt for every workspace.
      if (failuresInARow >= timings.maxFailures) return [];
      const dueBefore = addMilliseconds(clock(), timings.aheadMs);
      return store.leaseDue(newLease(clock, timings.leaseMs), dueBefore, limit);
    },
    // Retries are leased alone, and the others after them.
    leasesAfterEach: true,
    async work(leased) {
      exchanging += 1;
      const outcome = await refresh(leased).finally(() => {
        exchanging -= 1;
      });
      // A failure to look for refusals is thrown again by the next look.
      if (outcome === 'refused' || outcome === 'lost') onRefused?.().catch(() => undefined);
      const hasFailed = outcome === 'failed' || outcome === 'unknown';
      if (outcome) failuresInARow = hasFailed ? failuresInARow + 1 : 0;
    },
    onFailed: ({ teamId, id }, error) =>
      log.error(
        { teamId, installationId: id, err: error },
        'the result of refreshing a bot token could not be recorded',
      ),
    limits: {
      maxConcurrent: timings.maxConcurrent,
      maxPerLook: timings.maxPerLook,
      limitMs: 2 * timings.storeMs,
    },
  });

  return {
    /**
     * Refreshes every token that expires soon. When Slack fails several times in a row, no more are
     * leased until the next look.
     */
    refreshDue,

    /**
     * Refreshes the token of one installation now, because it has expired. Waits if another call or
     * process is doing so. The result is in the database.
     */
    refreshNow(id: string): Promise<void> {
      const started = underWay.get(id) ?? refreshOne(id).finally(() => underWay.delete(id));
      underWay.set(id, started);
      return started;
    },
  };

  async function refreshOne(id: string): Promise<void> {
    const until = performance.now() + timings.waitMs;
    do {
      const dueBefore = addMilliseconds(clock(), timings.usableMs);
      const leased = await store.claimOne(newLease(clock, timings.leaseMs), dueBefore, id);
      if (leased) return void (await refresh(leased));
      if (!(await store.isLeased(id, clock()))) return;
      await sleep(timings.pollMs);
    } while (performance.now() < until);
  }
}

/** Soon after the first lost answer, as Slack may still accept the token; then less and less often. */
function waitAfter({ attempt }: LeasedRefresh, isOutcomeUnknown: boolean): number {
  if (!isOutcomeUnknown) return timings.failedWaitMs;
  return Math.min(timings.unknownWaitMs * 3 ** (attempt - 1), timings.maxWaitMs);
}

/** Finds the log lines about an installation that must be repeated. */
export function referenceOf({ id }: { id: string }): string {
  return id.slice(0, 8);
}
