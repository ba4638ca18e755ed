import type { Database } from '../../database/open-database.ts';
import type { Logger } from '../../logger.ts';
import type { OAuthApp } from '../../slack/api/exchange-code.ts';
import { exchangeRefreshToken } from '../../slack/api/refresh-token.ts';
import type { FindInstallPage, ReadBotToken } from '../../slack/api/slack-clients.ts';
import type { TokenCipher } from '../workspaces/index.ts';
import { createTokenReader } from './read-token.ts';
import { createTokenRefresher, type RefreshDependencies } from './refresh-tokens.ts';
import { type ReportDependencies, reportRefusals } from './report-refusals.ts';
import type { InstallationStore } from './store/installation-store.ts';
import { createRefreshStore } from './store/refresh-store.ts';
import { createRefusalStore } from './store/refusal-store.ts';

export type TokenKeeper = {
  readToken: ReadBotToken;
  /** Refreshes what expires soon, and notifies installers whose installation must be repeated. */
  refreshTokens: (stopping?: AbortSignal) => Promise<void>;
  findInstallPage: FindInstallPage;
};

/** Everything that keeps the bot tokens of OAuth installations working, where Slack rotates them. */
export function createTokenKeeper(
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
): TokenKeeper {
  const { clock, log, installUrl } = given;
  const refusals = createRefusalStore(db, cipher);
  const report = (stopping?: AbortSignal) =>
    reportRefusals({ ...given, store: refusals }, stopping);
  const refresher = createTokenRefresher({
    ...{ ...given, store: createRefreshStore(db, cipher), onRefused: report },
    exchange: (refreshToken) => exchangeRefreshToken(oauthApp, refreshToken, log),
  });
  return {
    readToken: createTokenReader({ store, refresher, clock }),
    async refreshTokens(stopping) {
      try {
        await refresher.refreshDue(stopping);
      } finally {
        // Also what a process that died had not reported, and what could not be reported before.
        await report(stopping);
      }
    },
    findInstallPage: async (place) =>
      (await refusals.isReinstallNeeded(place)) ? installUrl : undefined,
  };
}
