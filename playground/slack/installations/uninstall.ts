import { changed } from '../state.ts';
import { type Directory, placeOf } from './directory.ts';
import type { LifecycleEvent } from './installation.ts';
import { type DeadAnswer, killTokens } from './tokens.ts';

export type UninstallEvent = 'app_uninstalled' | 'tokens_revoked';

export type UninstallOptions = {
  /**
   * What the app is told, in this order: Slack promises none. Events can repeat; none for an app that
   * is never told, or is told later by `announce`.
   */
  events?: readonly UninstallEvent[];
  /** What calls with the dead tokens are answered; `account_inactive` unless given. */
  answer?: DeadAnswer;
};

/** The events of an uninstall. `tokens_revoked` names the bot user, not its token. */
export const uninstallEvents = (
  botUserId: string,
  types: readonly UninstallEvent[],
): LifecycleEvent[] =>
  types.map((type) =>
    type === 'app_uninstalled' ? { type } : { type, tokens: { oauth: [], bot: [botUserId] } },
  );

/** Removes an installation: its tokens die at once. Resolves when the app was told. */
export const uninstall = async (
  directory: Directory,
  id: string,
  {
    events = ['tokens_revoked', 'app_uninstalled'],
    answer = 'account_inactive',
  }: UninstallOptions = {},
): Promise<void> => {
  const installation = directory.installations.get(id);
  if (!installation) throw new Error(`The app is not installed at ${id}.`);
  directory.installations.delete(id);
  killTokens(directory.tokens, installation, answer);
  for (const state of directory.states.values()) {
    if (state.installation !== installation) continue;
    // The organization may have one of its own.
    state.installation = [...directory.installations.values()].find(({ teamIds }) =>
      teamIds.includes(state.workspace.teamId),
    );
    state.triggers.clear();
    state.responseUrls.clear();
    changed(state);
  }
  await directory.announce(installation.place, uninstallEvents(installation.botUserId, events));
};

/** Tells the app about an uninstall again, or late. */
export const announceUninstall = (
  directory: Directory,
  id: string,
  events: UninstallEvent[],
): Promise<void> => {
  const { place, botUserId } = placeOf(directory, id);
  return directory.announce(place, uninstallEvents(botUserId, events));
};

/** Changes which workspaces an organization's installation has access to. */
export const setTeamAccess = async (
  directory: Directory,
  enterpriseId: string,
  teamIds: string[],
): Promise<void> => {
  const installation = directory.installations.get(enterpriseId);
  if (!installation) throw new Error(`The app is not installed at ${enterpriseId}.`);
  const before = installation.teamIds;
  installation.teamIds = teamIds;
  for (const state of directory.states.values()) {
    const isGranted = teamIds.includes(state.workspace.teamId);
    if (state.installation === installation && !isGranted) state.installation = undefined;
    if (isGranted) state.installation ??= installation;
    changed(state);
  }
  const granted = teamIds.filter((id) => !before.includes(id));
  const revoked = before.filter((id) => !teamIds.includes(id));
  await directory.announce(installation.place, [
    ...(granted.length > 0 ? [{ type: 'team_access_granted', team_ids: granted } as const] : []),
    ...(revoked.length > 0 ? [{ type: 'team_access_revoked', team_ids: revoked } as const] : []),
  ]);
};
