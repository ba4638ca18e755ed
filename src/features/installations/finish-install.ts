import type { Clock } from '../../clock.ts';
import { addSeconds } from '../../dates.ts';
import type { Logger } from '../../logger.ts';
import { exchangeCode, type OAuthAnswer, type OAuthApp } from '../../slack/api/exchange-code.ts';
import type { Organizations } from './organizations.ts';
import type { Grant, InstallationStore } from './store/installation-store.ts';
import type { Uninstaller } from './uninstall.ts';

export type FinishDependencies = {
  store: Pick<InstallationStore, 'save'>;
  organizations: Pick<Organizations, 'refresh'>;
  uninstaller: Pick<Uninstaller, 'purgeUninstalled'>;
  oauthApp: OAuthApp;
  clock: Clock;
  log: Logger;
};

export type FinishResult =
  | { result: 'installed'; teamId: string }
  | { result: 'installed-in-organization'; organizationId: string; appId: string }
  | { result: 'refused' }
  | { result: 'wrong-app' };

/**
 * Exchanges the code and stores what Slack granted. Installing again replaces the tokens; settings and
 * everything else of the workspace stay, unless the app was uninstalled before.
 * @throws if Slack can't be reached or answers otherwise than documented, or the database fails
 */
export async function finishInstall(
  code: string,
  { store, organizations, uninstaller, oauthApp, clock, log }: FinishDependencies,
): Promise<FinishResult> {
  const exchanged = await exchangeCode(oauthApp, code, log);
  if ('refused' in exchanged) {
    log.warn({ code: exchanged.refused }, 'Slack refused an installation');
    return { result: 'refused' };
  }
  const { answer } = exchanged;
  const { team, enterprise, is_enterprise_install: isOrganization } = answer;
  const place = isOrganization ? enterprise : team;
  if (!place) throw new Error('Slack granted an installation in no workspace');
  await uninstaller.purgeUninstalled(place.id);
  const now = clock();
  const grant = toGrant(answer, place.id, now);
  const { teamId, enterpriseId, appId } = grant;
  if ((await store.save(grant, now)) === 'wrong-app') {
    log.error({ teamId, enterpriseId, appId }, 'Belay is installed with another Slack app');
    return { result: 'wrong-app' };
  }
  log.info({ teamId, enterpriseId, installedBy: grant.installedBy }, 'Belay was installed');
  if (!isOrganization) return { result: 'installed', teamId };
  await organizations.refresh(teamId);
  return { result: 'installed-in-organization', organizationId: teamId, appId };
}

function toGrant(answer: OAuthAnswer, teamId: string, now: Date): Grant {
  const { refresh_token: refreshToken } = answer;
  return {
    teamId,
    enterpriseId: answer.enterprise?.id,
    appId: answer.app_id,
    botUserId: answer.bot_user_id,
    scopes: answer.scope.split(',').filter((scope) => scope !== ''),
    botToken: answer.access_token,
    refreshToken,
    // Only tokens that Slack rotates expire.
    expiresAt: refreshToken === undefined ? undefined : addSeconds(now, answer.expires_in),
    installedBy: answer.authed_user.id,
  };
}
