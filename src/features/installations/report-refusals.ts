import type { Clock } from '../../clock.ts';
import { addMilliseconds } from '../../dates.ts';
import type { Logger } from '../../logger.ts';
import { isTransient, slackErrorCode } from '../../slack/api/error-codes.ts';
import { postMessage } from '../../slack/api/post.ts';
import type { SlackClient } from '../../slack/api/slack-client.ts';
import { referenceOf } from './refresh-tokens.ts';
import type { Refusal, RefusalStore } from './store/refusal-store.ts';
import { timings } from './timings.ts';
import { installAgainMessage } from './views/installer-messages.ts';

export type ReportDependencies = {
  store: RefusalStore;
  /** A client with a token that is no longer refreshed. */
  openSlack: (workspace: {
    token: string;
    teamId: string;
    organizationId: string | undefined;
  }) => SlackClient;
  installUrl: string;
  newId: () => string;
  clock: Clock;
  log: Logger;
};

/**
 * Sends a direct message to the installer of each workspace whose refresh token Slack refused. Belay
 * can reach them only until the bot token expires, so it retries until then.
 */
export async function reportRefusals(
  dependencies: ReportDependencies,
  stopping?: AbortSignal,
): Promise<void> {
  const { store, newId, clock } = dependencies;
  while (!stopping?.aborted) {
    const at = clock();
    const lease = { holder: newId(), at, until: addMilliseconds(at, timings.leaseMs) };
    const refusal = await store.claim(lease);
    if (!refusal) return;
    await report(refusal, dependencies);
  }
}

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
