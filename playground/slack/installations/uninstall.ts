import { changed } from '../state.ts';
import type { Directory } from './directory.ts';
import { endTokens } from './tokens.ts';

/**
 * Removes an installation. Its tokens stop working immediately; resolves after the first attempt to
 * deliver the events. Slack guarantees no order of the two.
 */
export const uninstall = async (directory: Directory, id: string): Promise<void> => {
  const installation = directory.installations.get(id);
  if (!installation) throw new Error(`The app is not installed at ${id}.`);
  directory.installations.delete(id);
  endTokens(directory.tokens, installation);
  for (const state of directory.states.values()) {
    if (state.installation !== installation) continue;
    // The organization may have its own installation.
    state.installation = [...directory.installations.values()].find(({ teamIds }) =>
      teamIds.includes(state.workspace.teamId),
    );
    state.triggers.clear();
    state.responseUrls.clear();
    changed(state);
  }
  await directory.announce(installation.target, [
    // Names the bot user, not its token.
    { type: 'tokens_revoked', tokens: { oauth: [], bot: [installation.botUserId] } },
    { type: 'app_uninstalled' },
  ]);
};
