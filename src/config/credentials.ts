import { ConfigError } from './config-error.ts';

/** A bot token works for its own workspace; OAuth installs Belay in any number of them. */
export type Credentials = { botToken: string } | OAuthCredentials;

type OAuthCredentials = {
  clientId: string;
  clientSecret: string;
  /** Signs the state that binds an installation to the browser that began it. */
  stateSecret: string;
  /** Belay's own address: scheme, host and port. */
  publicUrl: string;
};

type Values = {
  SLACK_BOT_TOKEN?: string | undefined;
  SLACK_APP_TOKEN?: string | undefined;
  SLACK_CLIENT_ID?: string | undefined;
  SLACK_CLIENT_SECRET?: string | undefined;
  SLACK_STATE_SECRET?: string | undefined;
  BELAY_PUBLIC_URL?: string | undefined;
};

const oauthVariables = ['SLACK_CLIENT_ID', 'SLACK_CLIENT_SECRET', 'SLACK_STATE_SECRET'] as const;

/** A bot token, or everything that installing with OAuth needs. */
export function credentialsOf(values: Values): Credentials {
  const { SLACK_BOT_TOKEN: botToken, BELAY_PUBLIC_URL: publicUrl } = values;
  const {
    SLACK_CLIENT_ID: clientId,
    SLACK_CLIENT_SECRET: clientSecret,
    SLACK_STATE_SECRET: stateSecret,
  } = values;
  const set = oauthVariables.find((name) => values[name] !== undefined);
  if (botToken !== undefined && set === undefined) return { botToken };
  if (set === undefined) {
    throw new ConfigError(
      'SLACK_BOT_TOKEN is missing: copy the bot token from your Slack app (OAuth & Permissions), or set SLACK_CLIENT_ID to install with OAuth',
    );
  }
  if (botToken !== undefined) {
    throw new ConfigError(
      `SLACK_BOT_TOKEN and ${set} are both set: unset SLACK_BOT_TOKEN to install with OAuth, or unset the OAuth variables to use one workspace`,
    );
  }
  if (values.SLACK_APP_TOKEN !== undefined) {
    throw new ConfigError(
      `SLACK_APP_TOKEN and ${set} are both set: installing with OAuth needs the HTTP port, which Socket Mode doesn't have; unset SLACK_APP_TOKEN`,
    );
  }
  if (clientId !== undefined && clientSecret !== undefined && stateSecret !== undefined) {
    if (publicUrl !== undefined) return { clientId, clientSecret, stateSecret, publicUrl };
    throw new ConfigError(
      'BELAY_PUBLIC_URL is missing: installing with OAuth needs the https address at which browsers reach Belay',
    );
  }
  const missing = oauthVariables.find((name) => values[name] === undefined);
  throw new ConfigError(
    `${missing} is missing: installing with OAuth needs ${oauthVariables.join(', ')} and BELAY_PUBLIC_URL`,
  );
}
