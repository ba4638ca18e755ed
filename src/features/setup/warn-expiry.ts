import type { Clock } from '../../clock.ts';
import { millisecondsInDay } from '../../dates.ts';
import type { Logger } from '../../logger.ts';
import type { EnqueueMessages } from '../../outbox/index.ts';
import { canPostInChannel } from '../../slack/api/channel.ts';
import type { SlackClients } from '../../slack/api/slack-clients.ts';
import type { ExpiringToken, TokenExpiryStore } from '../workspaces/index.ts';
import { expiryMessage } from './views/expiry-message.ts';

/** How many days ahead Belay warns, the nearest first. */
const warnings = [1, 3, 7, 14];

type ExpiryDependencies = {
  store: TokenExpiryStore;
  readSettings: (teamId: string) => Promise<{ approvalsChannelId: string | undefined }>;
  clients: SlackClients;
  enqueueMessages: EnqueueMessages;
  clock: Clock;
  log: Logger;
};

/**
 * Warns before an API token expires, and once it has, in the approvals channel or else the admin who
 * saved it. Each warning is sent once per token; a process that was down sends only the nearest.
 */
export function createExpiryWarner(dependencies: ExpiryDependencies): () => Promise<void> {
  const { store, clock, log } = dependencies;
  return async () => {
    for (const token of await store.listExpiring()) {
      const days = daysAhead(token.expiresAt, clock());
      if (days === undefined || days >= (token.warnedDays ?? Number.POSITIVE_INFINITY)) continue;
      await warn(token, days, dependencies).catch((error: unknown) =>
        log.error({ teamId: token.teamId, err: error }, "a token's expiry could not be reported"),
      );
    }
  };
}

async function warn(
  token: ExpiringToken,
  days: number,
  { store, readSettings, clients, enqueueMessages, clock }: ExpiryDependencies,
): Promise<void> {
  const { teamId, connectionId, savedBy, expiresAt } = token;
  const { approvalsChannelId } = await readSettings(teamId);
  const slack = await clients.clientFor(teamId);
  const isReachable =
    approvalsChannelId !== undefined && (await canPostInChannel(slack, approvalsChannelId));
  const to = {
    ...{ teamId, ownerSlackUserId: savedBy },
    channelId: isReachable ? approvalsChannelId : savedBy,
  };
  const subject = `token-expiry:${connectionId}:${+expiresAt}:${days}`;
  const message = expiryMessage({ ...token, isExpired: days === 0 });
  await store.claimWarning(token, days, (trx) =>
    enqueueMessages(trx, to, [{ subject, message }], clock()),
  );
}

/** Which warning is due: 0 if the token has expired, undefined if none is due yet. */
function daysAhead(expiresAt: Date, now: Date): number | undefined {
  const remainingMs = +expiresAt - +now;
  if (remainingMs <= 0) return 0;
  return warnings.find((days) => remainingMs <= days * millisecondsInDay);
}
