import type { Clock } from '../../clock.ts';
import { newLease } from '../../database/leases.ts';
import type { Database } from '../../database/tables.ts';
import { addMilliseconds } from '../../dates.ts';
import { createDueWork, type DueWork } from '../../jobs/due-work.ts';
import type { Logger } from '../../logger.ts';
import { isTransient, slackErrorCode } from '../../slack/api/error-codes.ts';
import type { OAuthApp } from '../../slack/api/exchange-code.ts';
import { postMessage } from '../../slack/api/post.ts';
import { exchangeRefreshToken } from '../../slack/api/refresh-token.ts';
import type { SlackClient } from '../../slack/api/slack-client.ts';
import {
  type FindInstallPage,
  type ReadBotToken,
  TokenExpiredError,
} from '../../slack/api/slack-clients.ts';
import type { TokenCipher } from '../../workspace/store/token-cipher.ts';
import { createTokenRefresher, type RefreshDependencies, referenceOf } from './refresh-tokens.ts';
import type { InstallationStore } from './store/installation-store.ts';
import { createRefreshStore } from './store/refresh-store.ts';
import { createRefusalStore, type Refusal, type RefusalStore } from './store/refusal-store.ts';
import { timings } from './timings.ts';
import { installAgainMessage } from './views/installer-messages.ts';

export type TokenRotation = {
  /**
   * Reads a bot token, and refreshes one that has expired: the background work refreshes tokens hours
   * before that, unless Belay was stopped or Slack failed.
   * @throws TokenExpiredError
   */
  readToken: ReadBotToken;
  /** Refreshes what expires soon. */
  refreshTokens: DueWork;
  /** Notifies the installers whose installation must be repeated. */
  reportRefusals: DueWork;
  findInstallPage: FindInstallPage;
};

/** The bot tokens of OAuth installations, which expire if the app uses Slack's token rotation. */
export function createTokenRotation(
  db: Database,
  {
    cipher,
    oauthApp,
    store,
    ...given
  }: {
    cipher: TokenCipher;
    oauthApp: OAuthApp;
    store: InstallationStore;
    log: Logger;
  } & Pick<RefreshDependencies, 'clock' | 'onRefreshed'> &
    Pick<ReportDependencies, 'openSlack' | 'installUrl'>,
): TokenRotation {
  const { clock, log, installUrl } = given;
  const refusals = createRefusalStore(db, cipher);
  // Also of refusals that a process that died, or an earlier attempt, could not report.
  const reportRefusals = createDueWork({
    lease: (limit) => refusals.leaseDue(newLease(clock, timings.leaseMs), limit),
    work: (refusal) => report(refusal, { ...given, store: refusals }),
    onFailed: ({ teamId }, error) =>
      log.error({ teamId, err: error }, 'the end of an installation could not be reported'),
    limits: { maxConcurrent: timings.maxConcurrent },
  });
  const refresher = createTokenRefresher({
    ...given,
    store: createRefreshStore(db, cipher),
    onRefused: reportRefusals.start,
    exchange: (refreshToken) => exchangeRefreshToken(oauthApp, refreshToken, log),
  });
  return {
    async readToken(workspace) {
      const found = await store.readToken(workspace);
      const worksUntil = addMilliseconds(clock(), timings.usableMs);
      if (!found?.expiresAt || found.expiresAt > worksUntil) return found;
      await refresher.refreshNow(found.installationId);
      const current = await store.readToken(workspace);
      if (!current?.expiresAt || current.expiresAt > clock()) return current;
      throw new TokenExpiredError(`the bot token of workspace ${workspace.teamId} has expired`);
    },

    refreshTokens: refresher.refreshDue,
    reportRefusals,

    findInstallPage: async (place) =>
      (await refusals.isReinstallNeeded(place)) ? installUrl : undefined,
  };
}

type ReportDependencies = {
  store: RefusalStore;
  /** A client with a token that is no longer refreshed. */
  openSlack: (workspace: {
    token: string;
    teamId: string;
    organizationId: string | undefined;
  }) => SlackClient;
  installUrl: string;
  clock: Clock;
  log: Logger;
};

/**
 * Sends a direct message to the installer of a workspace whose refresh token Slack refused. Belay
 * can reach them only until the bot token expires, so it retries until then.
 */
async function report(
  refusal: Refusal,
  { store, openSlack, installUrl, clock, log }: ReportDependencies,
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
        await store.postpone(refusal, addMilliseconds(clock(), timings.failedWaitMs));
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
