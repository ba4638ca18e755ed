import type { Logger } from '../../logger.ts';
import { guardToken } from './guard-token.ts';
import { type ClientOptions, createSlackClient, type SlackClient } from './slack-client.ts';

/**
 * A workspace's bot token. `version` changes with the token. `organizationId` is that of the
 * organization (`E…`) if the token is for all of it.
 */
export type BotToken = { token: string; version: string; organizationId?: string | undefined };

/** Undefined for a workspace in which Belay isn't installed. */
export type ReadBotToken = (workspace: { teamId: string }) => Promise<BotToken | undefined>;

/** The page to open, if Belay was installed in the workspace and must be installed again. */
export type FindInstallPage = (place: SlackPlace) => Promise<string | undefined>;

/** A workspace, and the organization that it may belong to. */
export type SlackPlace = { teamId: string; enterpriseId?: string | undefined };

/** The only source of clients. Callers request the client of one team. */
export type SlackClients = {
  /** Undefined, and logged once, if Belay isn't installed in the workspace. */
  find: (workspace: { teamId: string }) => Promise<SlackClient | undefined>;
  /** @throws NotInstalledError */
  clientFor: (teamId: string) => Promise<SlackClient>;
};

/** Belay isn't installed in the workspace: leave its rows as they are. */
export class NotInstalledError extends Error {
  override name = 'NotInstalledError';
}

/** The bot token has expired, and could not be refreshed yet. */
export class TokenExpiredError extends Error {
  override name = 'TokenExpiredError';
}

/**
 * One client per workspace. The token is read for each use, so that a changed one takes effect in
 * every process at once; the client is made again only when the token's version has changed.
 */
export function createSlackClients({
  readToken,
  options,
  onTokenRefused = () => undefined,
  log,
}: {
  readToken: ReadBotToken;
  options: ClientOptions;
  /** Slack refused a call with the workspace's token, whatever the cause. */
  onTokenRefused?: ((teamId: string) => void) | undefined;
  log: Logger;
}): SlackClients {
  const known = new Map<string, { version: string; slack: SlackClient }>();
  const logged = new Set<string>();

  async function find({ teamId }: { teamId: string }): Promise<SlackClient | undefined> {
    const current = await readToken({ teamId });
    if (!current) {
      known.delete(teamId);
      if (!logged.has(teamId)) log.warn({ teamId }, "Belay isn't installed in this workspace");
      logged.add(teamId);
      return undefined;
    }
    logged.delete(teamId);
    const { token, version, organizationId } = current;
    const cached = known.get(teamId);
    if (cached?.version === version) return cached.slack;
    const guarded = guardToken(options.fetch, {
      async lookUp() {
        const now = await readToken({ teamId });
        if (!now) return 'gone';
        return now.version === version ? 'current' : 'replaced';
      },
      onRefused: () => onTokenRefused(organizationId ?? teamId),
    });
    const slack = createSlackClient(
      { token, teamId, organizationId },
      { ...options, fetch: guarded },
    );
    known.set(teamId, { version, slack });
    return slack;
  }

  return {
    find,
    async clientFor(teamId) {
      const slack = await find({ teamId });
      if (!slack) throw new NotInstalledError(`Belay isn't installed in workspace ${teamId}`);
      return slack;
    },
  };
}
