import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../clock.ts';
import { newLease } from '../../database/leases.ts';
import { retryWhileLeased } from '../../database/retry-while-leased.ts';
import { addMilliseconds, addSeconds } from '../../dates.ts';
import { createDueWork } from '../../jobs/due-work.ts';
import type { Logger } from '../../logger.ts';
import { isTransient, slackErrorCode } from '../../slack/api/error-codes.ts';
import { postMessage } from '../../slack/api/post.ts';
import type { RefreshAnswer, TokenPair } from '../../slack/api/refresh-token.ts';
import type { SlackClient } from '../../slack/api/slack-client.ts';
import {
  type FindInstallPage,
  type ReadBotToken,
  TokenExpiredError,
} from '../../slack/api/slack-clients.ts';
import type { InstallationStore } from './store/installation-store.ts';
import type { LeasedRefresh, RefreshStore, Refusal } from './store/refresh-store.ts';
import { timings } from './timings.ts';
import { installAgainMessage } from './views/installer-messages.ts';

export type TokenRotation = ReturnType<typeof createTokenRotation>;

type RotationDependencies = {
  installations: Pick<InstallationStore, 'readToken'>;
  store: RefreshStore;
  exchange: (refreshToken: string) => Promise<RefreshAnswer>;
  /** A client with a token that is no longer refreshed. */
  openSlack: (workspace: {
    token: string;
    teamId: string;
    organizationId: string | undefined;
  }) => SlackClient;
  installUrl: string;
  clock: Clock;
  log: Logger;
  onRefreshed?: ((refresh: { outcome: RefreshOutcome; isRetry: boolean }) => void) | undefined;
};

/** The bot tokens of OAuth installations, which expire if the app uses Slack's token rotation. */
export function createTokenRotation(dependencies: RotationDependencies) {
  const { installations, store, installUrl, clock, log } = dependencies;
  // Also of refusals that a process that died, or an earlier attempt, could not report.
  const reportRefusals = createDueWork({
    lease: (limit) => store.leaseRefusals(newLease(clock, timings.leaseMs), limit),
    work: (refusal) => report(refusal, dependencies),
    onFailed: ({ teamId }, error) =>
      log.error({ teamId, err: error }, 'the end of an installation could not be reported'),
    limits: { maxConcurrent: timings.maxConcurrent },
  });
  const refresher = createTokenRefresher(dependencies, reportRefusals.start);
  /**
   * Reads a bot token, and refreshes one that has expired: the background work refreshes tokens hours
   * before that, unless Belay was stopped or Slack failed.
   * @throws TokenExpiredError
   */
  const readToken: ReadBotToken = async (workspace) => {
    const found = await installations.readToken(workspace);
    const worksUntil = addMilliseconds(clock(), timings.usableMs);
    if (!found?.expiresAt || found.expiresAt > worksUntil) return found;
    await refresher.refreshNow(found.installationId);
    const current = await installations.readToken(workspace);
    if (!current?.expiresAt || current.expiresAt > clock()) return current;
    throw new TokenExpiredError(`the bot token of workspace ${workspace.teamId} has expired`);
  };
  const findInstallPage: FindInstallPage = async (place) =>
    (await store.isReinstallNeeded(place)) ? installUrl : undefined;

  return {
    readToken,
    /** Refreshes what expires soon. */
    refreshTokens: refresher.refreshDue,
    /** Notifies the installers whose installation must be repeated. */
    reportRefusals,
    findInstallPage,
  };
}

/**
 * Sends a direct message to the installer of a workspace whose refresh token Slack refused. Belay
 * can reach them only until the bot token expires, so it retries until then.
 */
async function report(
  refusal: Refusal,
  { store, openSlack, installUrl, clock, log }: RotationDependencies,
): Promise<void> {
  const { teamId, organizationId, installedBy, botToken: token, code } = refusal;
  const reference = referenceOf(refusal);
  const fields = { teamId, installedBy, reference, code };
  let isNotified = false;
  let isUninstalled = code === uninstalledCode;
  if (token !== undefined) {
    const slack = openSlack({ token, teamId, organizationId });
    try {
      const message = installAgainMessage(installUrl, reference);
      isNotified = (await postMessage(slack, installedBy, message)) !== undefined;
    } catch (error) {
      if (isTransient(error) && !deadTokenCodes.has(slackErrorCode(error) ?? '')) {
        log.warn({ ...fields, err: error }, 'the installer could not be notified yet');
        await store.postponeReport(refusal, addMilliseconds(clock(), timings.failedWaitMs));
        return;
      }
      isUninstalled ||= slackErrorCode(error) === uninstalledCode;
      log.warn({ ...fields, err: error }, 'the installer could not be notified');
    }
  }
  await store.recordReport(refusal, { at: clock(), isUninstalled });
  log.warn(
    { ...fields, isNotified },
    'Belay is stopped in a workspace until it is installed again',
  );
}

/** The app is no longer in the workspace. */
const uninstalledCode = 'account_inactive';

/** Slack's codes for a bot token that no longer works either. */
const deadTokenCodes = new Set(['token_revoked', 'token_expired', 'invalid_auth', uninstalledCode]);

/**
 * The result of an exchange. `recovered`: a retry after an attempt without an answer succeeded; `lost`:
 * it was refused, because Slack's answer to the earlier attempt was lost; `unknown`: no answer.
 */
type RefreshOutcome = 'refreshed' | 'recovered' | 'refused' | 'lost' | 'unknown' | 'failed';

/**
 * Exchanges refresh tokens: each in one process at a time, and again only after an attempt whose
 * outcome is unknown, because Slack refuses a used token for good, which ends the installation.
 */
function createTokenRefresher(
  { store, exchange, clock, log, onRefreshed }: RotationDependencies,
  /** Called by the background work after a refusal was recorded. */
  onRefused: () => Promise<void>,
) {
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
      if (outcome === 'refused' || outcome === 'lost') onRefused().catch(() => undefined);
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
function referenceOf({ id }: { id: string }): string {
  return id.slice(0, 8);
}
