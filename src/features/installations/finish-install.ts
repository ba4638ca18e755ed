import { addSeconds } from 'date-fns/addSeconds';
import type { Clock } from '../../clock.ts';
import type { Logger } from '../../logger.ts';
import { exchangeCode, type OAuthAnswer, type OAuthApp } from '../../slack/api/exchange-code.ts';
import type { Grant, Place } from './installation.ts';
import type { InstallationStore } from './store/installation-store.ts';

export type FinishDependencies = {
  store: Pick<InstallationStore, 'save'>;
  oauthApp: OAuthApp;
  clock: Clock;
  log: Logger;
};

export type FinishResult =
  | { result: 'installed'; place: Place; appId: string }
  | { result: 'refused' }
  | { result: 'wrong-app' };

/**
 * Exchanges the code and stores what Slack granted. Installing again replaces the tokens; settings and
 * everything else of the workspace stay.
 * @throws if Slack can't be reached or answers otherwise than documented, or the database fails
 */
export async function finishInstall(
  code: string,
  { store, oauthApp, clock, log }: FinishDependencies,
): Promise<FinishResult> {
  const exchanged = await exchangeCode(oauthApp, code, log);
  if ('refused' in exchanged) {
    log.warn({ code: exchanged.refused }, 'Slack refused an installation');
    return { result: 'refused' };
  }
  const now = clock();
  const grant = toGrant(exchanged.answer, now);
  const { place, appId } = grant;
  const { teamId, enterpriseId } = place;
  if ((await store.save(grant, now)) === 'wrong-app') {
    log.error({ teamId, enterpriseId, appId }, 'Belay is installed with another Slack app');
    return { result: 'wrong-app' };
  }
  log.info({ teamId, enterpriseId, installedBy: grant.installedBy }, 'Belay was installed');
  return { result: 'installed', place, appId };
}

function toGrant(answer: OAuthAnswer, now: Date): Grant {
  const { expires_in: seconds } = answer;
  return {
    place: placeOf(answer),
    appId: answer.app_id,
    botUserId: answer.bot_user_id,
    scopes: answer.scope.split(',').filter((scope) => scope !== ''),
    botToken: answer.access_token,
    refreshToken: answer.refresh_token,
    expiresAt: seconds === undefined ? undefined : addSeconds(now, seconds),
    installedBy: answer.authed_user.id,
  };
}

function placeOf({ team, enterprise, is_enterprise_install: isOrganization }: OAuthAnswer): Place {
  if (isOrganization && enterprise) {
    return { teamId: undefined, enterpriseId: enterprise.id, isOrganization: true };
  }
  if (isOrganization || !team) throw new Error('Slack granted an installation in no workspace');
  return { teamId: team.id, enterpriseId: enterprise?.id, isOrganization: false };
}
