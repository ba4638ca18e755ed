import { addMilliseconds } from 'date-fns/addMilliseconds';
import type { Clock } from '../../clock.ts';
import { type ReadBotToken, TokenExpiredError } from '../../slack/api/slack-clients.ts';
import type { TokenRefresher } from './refresh-tokens.ts';
import type { InstallationStore } from './store/installation-store.ts';
import { timings } from './timings.ts';

/**
 * Reads bot tokens, and refreshes one that has expired: the background has done so long before, unless
 * Belay was stopped or Slack failed.
 */
export function createTokenReader({
  store,
  refresher,
  clock,
}: {
  store: Pick<InstallationStore, 'readToken'>;
  refresher: Pick<TokenRefresher, 'refreshNow'>;
  clock: Clock;
}): ReadBotToken {
  return async (workspace) => {
    const found = await store.readToken(workspace);
    const worksUntil = addMilliseconds(clock(), timings.usableMs);
    if (!found?.expiresAt || found.expiresAt > worksUntil) return found;
    await refresher.refreshNow(found.installationId);
    const current = await store.readToken(workspace);
    if (!current?.expiresAt || current.expiresAt > clock()) return current;
    throw new TokenExpiredError(`the bot token of workspace ${workspace.teamId} has expired`);
  };
}
