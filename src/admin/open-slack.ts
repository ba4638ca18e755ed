import { createAppendEntry } from '../audit-log/append.ts';
import { systemClock } from '../clock.ts';
import type { DoctorConfig } from '../config.ts';
import type { Database } from '../database/tables.ts';
import {
  BotTokenUnreadableError,
  createInstallationStore,
} from '../features/installations/index.ts';
import { createLogger } from '../logger.ts';
import { clientOptions, createSlackClient, type SlackClient } from '../slack/api/slack-client.ts';
import { readTokenTeam } from '../slack/server/slack-app.ts';
import { createTokenCipher } from '../workspace/store/token-cipher.ts';

const slackTimeoutMs = 4000;

/** `tokenTeamId`: the workspace of `SLACK_BOT_TOKEN`, if it is set. */
type OpenedSlack = {
  slack: SlackClient | undefined;
  skipped: string[];
  tokenTeamId: string | undefined;
};

/** The client, or the reason why Slack isn't checked: another workspace's token must not be used. */
export async function openSlack(
  { botToken, apiUrl }: DoctorConfig['slack'],
  { teamId, db, encryptionKeys }: { teamId: string; db: Database; encryptionKeys: Buffer[] },
): Promise<OpenedSlack> {
  const log = createLogger('silent');
  const cipher = createTokenCipher(encryptionKeys);
  const append = createAppendEntry(encryptionKeys);
  const installations = createInstallationStore(db, { cipher, append });
  const found =
    botToken === undefined
      ? await installations.readToken({ teamId }).catch((error: unknown) => {
          if (error instanceof BotTokenUnreadableError) return 'unreadable' as const;
          throw error;
        })
      : { token: botToken, expiresAt: undefined };
  if (found === 'unreadable') return skip("the stored bot token can't be decrypted");
  if (!found) {
    return skip('there is no bot token. Set SLACK_BOT_TOKEN, or install Belay with OAuth');
  }
  // Only Belay itself refreshes tokens: two programs that do would invalidate each other's.
  if (found.expiresAt && found.expiresAt <= systemClock()) {
    return skip('the bot token has expired. Belay refreshes the token while Belay is running');
  }
  // If Slack refuses the token or can't be reached, the checks find out why.
  const tokenTeamId =
    botToken === undefined
      ? undefined
      : await readTokenTeam({ botToken, apiUrl }, log).catch(() => teamId);
  if (tokenTeamId !== undefined && tokenTeamId !== teamId) {
    return skip(`SLACK_BOT_TOKEN belongs to workspace ${tokenTeamId}`, tokenTeamId);
  }
  const options = clientOptions({ log, apiUrl }, slackTimeoutMs);
  return { slack: createSlackClient({ ...found, teamId }, options), skipped: [], tokenTeamId };
}

function skip(why: string, tokenTeamId?: string): OpenedSlack {
  return { slack: undefined, skipped: [`Slack was not checked: ${why}.`], tokenTeamId };
}
