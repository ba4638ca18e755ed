import { slackErrorCode } from './error-codes.ts';
import type { SlackClient } from './slack-client.ts';

/** Scopes in manifest.yml: each is needed by a call that Belay makes. */
export const requiredScopes = [
  'commands',
  'chat:write',
  'im:write',
  'users:read',
  'users:read.email',
  'channels:read',
  'groups:read',
] as const;

/** Scopes in manifest.yml for events. Installations without them work, but get no such events. */
export const eventScopes = ['im:history', 'app_mentions:read'] as const;

/** Scopes in manifest.yml for user groups with a role. Installations without them work without groups. */
export const groupScopes = ['usergroups:read'] as const;

type Installation =
  /** The missing scopes are undefined if Slack didn't say which scopes the token has. */
  | {
      outcome: 'ok';
      missingScopes: string[] | undefined;
      missingEventScopes: string[] | undefined;
      missingGroupScopes: string[] | undefined;
    }
  | { outcome: 'refused'; code: string };

/**
 * Whether Slack accepts the bot token, and with which scopes.
 * https://docs.slack.dev/reference/methods/auth.test
 * @throws the client's error when Slack can't be reached.
 */
export async function readInstallation(slack: SlackClient): Promise<Installation> {
  try {
    const { response_metadata: metadata } = await slack.auth.test();
    const granted = metadata?.scopes;
    const missing = (scopes: readonly string[]) =>
      granted && scopes.filter((scope) => !granted.includes(scope));
    return {
      outcome: 'ok',
      missingScopes: missing(requiredScopes),
      missingEventScopes: missing(eventScopes),
      missingGroupScopes: missing(groupScopes),
    };
  } catch (error) {
    const code = slackErrorCode(error);
    if (code === undefined) throw error;
    return { outcome: 'refused', code };
  }
}
