import type { LocalSlack } from '../../playground/slack/local-slack.ts';
import type { Workspace } from '../../playground/slack/workspace.ts';
import { createAppendEntry } from '../../src/audit-log/append.ts';
import { type Clock, systemClock } from '../../src/clock.ts';
import { readConfig } from '../../src/config.ts';
import type { Database } from '../../src/database/tables.ts';
import {
  createInstallationStore,
  type InstallationStore,
} from '../../src/features/installations/index.ts';
import { finishInstall } from '../../src/features/installations/register.ts';
import { createLogger } from '../../src/logger.ts';
import { createTokenCipher } from '../../src/workspace/store/token-cipher.ts';

/**
 * Installs Belay as its page does, but from this process: before any replica runs, or without one.
 * @param env of the replicas, with OAuth
 */
export function createInstaller({
  slack,
  db,
  env,
  clock = systemClock,
}: {
  slack: LocalSlack;
  db: Database;
  env: Record<string, string>;
  clock?: Clock;
}): { install: (workspace: Workspace) => Promise<void>; store: InstallationStore } {
  const { encryptionKeys, slack: slackConfig } = readConfig(env);
  const { credentials, apiUrl } = slackConfig;
  if ('botToken' in credentials) throw new Error('these variables are not those of OAuth');
  const { clientId, clientSecret, publicUrl } = credentials;
  const cipher = createTokenCipher(encryptionKeys);
  const append = createAppendEntry(encryptionKeys);
  const store = createInstallationStore(db, { cipher, append });
  const redirectUri = `${publicUrl}/slack/oauth_redirect`;
  const dependencies = {
    store,
    oauthApp: { clientId, clientSecret, redirectUri, apiUrl },
    clock,
    log: createLogger('fatal'),
    // Nothing is uninstalled here, so no data of an earlier installation is left to delete.
    uninstaller: { purgeUninstalled: async () => undefined },
    organizations: { refresh: async () => undefined },
  };

  return {
    store,
    async install({ teamId, people, app }) {
      const installer = people.find(({ isAdmin }) => isAdmin)?.slackUserId ?? '';
      const authorizeUrl = new URL('/oauth/v2/authorize', slack.url);
      authorizeUrl.search = new URLSearchParams({
        client_id: clientId,
        scope: app.scopes.join(','),
        redirect_uri: redirectUri,
      }).toString();
      const returned = await slack.install(teamId, installer, { authorizeUrl: authorizeUrl.href });
      const { result } = await finishInstall(returned.searchParams.get('code') ?? '', dependencies);
      if (result !== 'installed') throw new Error(`Belay was not installed: ${result}`);
    },
  };
}
