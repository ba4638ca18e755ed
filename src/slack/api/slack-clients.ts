import { z } from 'zod';
import type { Logger } from '../../logger.ts';
import { decodeValue } from '../ui/codec.ts';
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
  readToken: readOne,
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
  const readToken = shareReads(readOne);
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

/**
 * Reads a workspace's token once for everyone who asks while another read of it runs: a thousand clicks
 * at once would otherwise wait for a thousand reads. A shared read starts after each of them asked, so
 * it sees a token that was replaced or revoked before.
 */
function shareReads(read: ReadBotToken): ReadBotToken {
  const running = new Map<string, Promise<unknown>>();
  const next = new Map<string, Promise<BotToken | undefined>>();

  async function readAfter(last: Promise<unknown> | undefined, teamId: string) {
    await last?.catch(() => undefined);
    const reading = read({ teamId });
    next.delete(teamId);
    running.set(teamId, reading);
    return reading.finally(() => {
      if (running.get(teamId) === reading) running.delete(teamId);
    });
  }

  return ({ teamId }) => {
    const shared = next.get(teamId) ?? readAfter(running.get(teamId), teamId);
    next.set(teamId, shared);
    return shared;
  };
}

/** The token no longer works: it was revoked, or the app or its account is gone. */
const refusals = z.object({
  ok: z.literal(false),
  error: z.enum(['account_inactive', 'token_revoked', 'invalid_auth']),
});

/**
 * `send` for one token. The token is looked up before each call, because a listener may hold the
 * client while the workspace uninstalls Belay: once the token is no longer the workspace's, the call is
 * refused here, as Slack would. Calls `onRefused` when Slack refuses the token.
 * @param lookUp `replaced`: there is another token, and this one can still work
 */
export function guardToken(
  send: typeof fetch,
  {
    lookUp,
    onRefused,
  }: { lookUp: () => Promise<'current' | 'replaced' | 'gone'>; onRefused: () => void },
): typeof fetch {
  let wasRefused = false;

  async function mayBeSent(): Promise<boolean> {
    // A failing database doesn't stop the call: people are waiting for its answer.
    const found = await lookUp().catch(() => 'current' as const);
    return found === 'current' || (found === 'replaced' && !wasRefused);
  }

  return async (input, init) => {
    if (!(await mayBeSent())) return Response.json({ ok: false, error: 'account_inactive' });
    const response = await send(input, init);
    if (response.ok) {
      const text = await response.clone().text();
      wasRefused = text.startsWith('{"ok":false') && decodeValue(refusals, text) !== undefined;
      if (wasRefused) onRefused();
    }
    return response;
  };
}
