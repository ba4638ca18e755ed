import { createAppendEntry } from '../audit-log/append.ts';
import type { DoctorConfig } from '../config.ts';
import type { Database } from '../database/tables.ts';
import { createInstallationStore } from '../features/installations/index.ts';
import { createLogger } from '../logger.ts';
import { clientOptions, createSlackClient, type SlackClient } from '../slack/api/slack-client.ts';
import { readTokenTeam } from '../slack/server/slack-app.ts';
import { createTokenCipher } from '../workspace/store/token-cipher.ts';

const slackTimeoutMs = 4000;

/** The client, or the reason why Slack isn't checked: another workspace's token must not be used. */
export async function openSlack(
  { botToken, apiUrl }: DoctorConfig['slack'],
  { teamId, db, encryptionKeys }: { teamId: string; db: Database; encryptionKeys: Buffer[] },
): Promise<{ slack: SlackClient | undefined; skipped: string[] }> {
  const log = createLogger('silent');
  const cipher = createTokenCipher(encryptionKeys);
  const append = createAppendEntry(encryptionKeys);
  const installations = createInstallationStore(db, { cipher, append });
  const found =
    botToken === undefined ? await installations.readToken({ teamId }) : { token: botToken };
  if (!found) {
    const skipped = [
      'Slack was not checked: there is no bot token. Set SLACK_BOT_TOKEN, or install Belay with OAuth.',
    ];
    return { slack: undefined, skipped };
  }
  // If Slack refuses the token or can't be reached, the checks find out why.
  const ownTeamId =
    botToken === undefined
      ? teamId
      : await readTokenTeam({ botToken, apiUrl }, log).catch(() => teamId);
  if (ownTeamId !== teamId) {
    const skipped = [`Slack was not checked: SLACK_BOT_TOKEN belongs to workspace ${ownTeamId}.`];
    return { slack: undefined, skipped };
  }
  const options = clientOptions({ log, apiUrl }, slackTimeoutMs);
  return { slack: createSlackClient({ ...found, teamId }, options), skipped: [] };
}
