import type { Database } from '../../database/tables.ts';
import { addMilliseconds } from '../../dates.ts';
import type { Logger } from '../../logger.ts';
import type { OAuthApp } from '../../slack/api/exchange-code.ts';
import { exchangeRefreshToken } from '../../slack/api/refresh-token.ts';
import {
  type FindInstallPage,
  type ReadBotToken,
  TokenExpiredError,
} from '../../slack/api/slack-clients.ts';
import type { TokenCipher } from '../workspaces/index.ts';
import { createTokenRefresher, type RefreshDependencies } from './refresh-tokens.ts';
import { type ReportDependencies, reportRefusals } from './report-refusals.ts';
import type { InstallationStore } from './store/installation-store.ts';
import { createRefreshStore } from './store/refresh-store.ts';
import { createRefusalStore } from './store/refusal-store.ts';
import { timings } from './timings.ts';

export type TokenRotation = {
  /**
   * Reads a bot token, and refreshes one that has expired: the background work refreshes tokens hours
   * before that, unless Belay was stopped or Slack failed.
   * @throws TokenExpiredError
   */
  readToken: ReadBotToken;
  /** Refreshes what expires soon, and notifies installers whose installation must be repeated. */
  refreshTokens: (stopping?: AbortSignal) => Promise<void>;
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
  } & Pick<RefreshDependencies, 'newId' | 'clock' | 'onRefreshed'> &
    Pick<ReportDependencies, 'openSlack' | 'installUrl'>,
): TokenRotation {
  const { clock, log, installUrl } = given;
  const refusals = createRefusalStore(db, cipher);
  const report = (stopping?: AbortSignal) =>
    reportRefusals({ ...given, store: refusals }, stopping);
  const refresher = createTokenRefresher({
    ...given,
    store: createRefreshStore(db, cipher),
    onRefused: report,
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

    async refreshTokens(stopping) {
      try {
        await refresher.refreshDue(stopping);
      } finally {
        // Also refusals that a process that died, or an earlier run, could not report.
        await report(stopping);
      }
    },

    findInstallPage: async (place) =>
      (await refusals.isReinstallNeeded(place)) ? installUrl : undefined,
  };
}
