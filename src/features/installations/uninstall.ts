import { type Clock, monotonicClock } from '../../clock.ts';
import { addMilliseconds } from '../../dates.ts';
import { createDueWork } from '../../jobs/due-work.ts';
import type { Logger } from '../../logger.ts';
import type { TestToken } from '../../slack/api/test-token.ts';
import type { UninstallEvent } from '../../slack/interactions/uninstall-events.ts';
import type { ClaimedInstallation, UninstallStore } from './store/uninstall-store.ts';

export type Uninstaller = ReturnType<typeof createUninstaller>;

/** Milliseconds; tests shorten these. */
export type UninstallTimings = {
  /** How often Slack is asked about an installation without any event. */
  checkMs: number;
  /** How long Slack must refuse a token before that counts as an unreported uninstall. */
  confirmMs: number;
  /** Until Slack is asked again if there was no answer. */
  retryMs: number;
  /** How long a process that was working for the workspace can still store something. */
  settleMs: number;
  /** Until another process takes over from one that died. */
  leaseMs: number;
};

const defaultTimings: UninstallTimings = {
  checkMs: 6 * 60 * 60_000,
  confirmMs: 10 * 60_000,
  retryMs: 60_000,
  settleMs: 2 * 60_000,
  leaseMs: 60_000,
};

/**
 * With a look every few seconds, at most a few hundred calls a minute to Slack. Deleting the data of a
 * large workspace takes minutes.
 */
const limits = { maxConcurrent: 4, maxPerLook: 40, limitMs: 10 * 60_000 };

export function createUninstaller({
  store,
  testToken,
  clock,
  log,
  ...given
}: {
  store: UninstallStore;
  testToken: TestToken;
  clock: Clock;
  log: Logger;
  timings?: Partial<UninstallTimings> | undefined;
}) {
  const timings = { ...defaultTimings, ...given.timings };
  const { checkMs, confirmMs, retryMs, settleMs, leaseMs } = timings;
  const inMs = (ms: number) => addMilliseconds(clock(), ms);
  const claim = () => ({ at: clock(), until: inMs(leaseMs) });
  const refusedAt = new Map<string, number>();

  /** Slack's answer about the token: it works, the app is gone, or the answer doesn't show which. */
  async function ask(installed: ClaimedInstallation): Promise<'works' | 'gone' | 'unclear'> {
    const { teamId, organizationId, botToken: token, reportedAt } = installed;
    // Belay must be installed again in any case. Only a report from Slack shows that it was uninstalled.
    if (token === undefined) return reportedAt ? 'gone' : 'unclear';
    const answer = await testToken({ teamId, organizationId, token });
    if (answer === 'works') return 'works';
    return isGone(answer, installed) ? 'gone' : 'unclear';
  }

  async function check(installed: ClaimedInstallation): Promise<void> {
    const { teamId, reportedAt, refusedSince } = installed;
    let answer: Awaited<ReturnType<typeof ask>>;
    try {
      answer = await ask(installed);
    } catch (error) {
      log.warn({ teamId, err: error }, "couldn't ask Slack whether Belay is still installed");
      return store.checkLater(installed, inMs(retryMs));
    }
    if (answer === 'works') return store.recordWorking(installed, inMs(checkMs));
    if (answer === 'unclear')
      return store.checkLater(installed, inMs(reportedAt ? retryMs : checkMs));
    if (reportedAt || (refusedSince && inMs(-confirmMs) >= refusedSince)) return end(installed);
    // Without a report, one refusal may be an error of Slack, which must not delete a workspace's data.
    await store.recordRefusal(installed, refusedSince ?? clock(), inMs(confirmMs));
  }

  async function end(installed: ClaimedInstallation): Promise<void> {
    const { teamId } = installed;
    if (!(await store.end(installed, clock()))) return;
    log.warn({ teamId }, 'Belay was uninstalled; the data of the workspace is deleted');
    await purge({ ...installed, uninstalledAt: clock() });
  }

  async function purge(ended: ClaimedInstallation): Promise<void> {
    const { teamId, uninstalledAt = clock() } = ended;
    const progress = await store.purge(ended, claim);
    const isSettled = clock() >= addMilliseconds(uninstalledAt, settleMs);
    if (progress !== 'done' || !isSettled) return store.purgeLater(ended, inMs(settleMs / 4));
    await store.remove(ended);
    log.info({ teamId }, 'the data of a workspace was deleted');
  }

  const work = createDueWork({
    lease: (limit) => store.leaseDue(claim(), limit),
    // A report that arrives during a check is checked at once.
    leasesAfterEach: true,
    work: (installed) => (installed.state === 'uninstalling' ? purge(installed) : check(installed)),
    // The next attempt follows when the claim has ended.
    onFailed: ({ teamId }, error) =>
      log.error({ teamId, err: error }, 'an installation was not checked, or its data not deleted'),
    limits,
  });

  return {
    /** Checks the installations that are due, and deletes the data of those that ended. */
    work,

    /** Records an event from Slack, and starts to ask Slack whether the app is still installed. */
    async report(event: UninstallEvent): Promise<void> {
      await store.report(event, clock());
      await work.start();
    },

    /** Slack refused a call with the workspace's bot token. Never throws. */
    tokenRefused(teamId: string): void {
      const at = monotonicClock();
      if (at - (refusedAt.get(teamId) ?? Number.NEGATIVE_INFINITY) < retryMs) return;
      refusedAt.set(teamId, at);
      store
        .requestCheck(teamId, { at: clock(), soon: inMs(leaseMs) })
        .catch((error: unknown) =>
          log.warn({ teamId, err: error }, "couldn't record a refused token"),
        );
    },

    /**
     * Before an installation is stored: if an earlier one in the same place was uninstalled, whether or
     * not Belay has noticed, deletes its data, so that the new one starts clean.
     */
    async purgeUninstalled(teamId: string): Promise<void> {
      const earlier = await store.find(teamId);
      if (!earlier) return;
      if (earlier.state !== 'uninstalling') {
        // A revoked token alone doesn't mean an uninstall: an admin who revokes a leaked token and then
        // installs Belay again expects its data to be there.
        const answer = await ask({ ...earlier, isRotating: true });
        if (answer !== 'gone' || !(await store.end(earlier, clock()))) return;
        log.warn({ teamId }, 'Belay was uninstalled and is installed again');
      }
      const progress = await store.purge(earlier, claim);
      // While work of the earlier installation is still running, its row stays, so that the new one can't be
      // stored yet.
      if (progress !== 'waiting') await store.remove(earlier);
    },
  };
}

/**
 * Whether the code says that the app is no longer in the workspace. With rotation, older
 * tokens are revoked or expire by themselves. Slack also answers `invalid_auth` to an IP address that
 * the workspace doesn't allow.
 */
function isGone(code: string, { isRotating, reportedAt }: ClaimedInstallation): boolean {
  if (code === 'account_inactive') return true;
  if (code === 'token_revoked') return !isRotating || reportedAt !== undefined;
  return reportedAt !== undefined && (code === 'invalid_auth' || code === 'token_expired');
}
