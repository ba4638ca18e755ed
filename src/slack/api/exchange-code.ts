import { WebClient } from '@slack/web-api';
import { z } from 'zod';
import type { Logger } from '../../logger.ts';
import { slackErrorCode } from './error-codes.ts';
import { clientOptions } from './slack-client.ts';

/** The app's own credentials, and where Slack sends the browser back to. */
export type OAuthApp = {
  clientId: string;
  clientSecret: string;
  redirectUri: string;
  apiUrl: string | undefined;
};

const idSchema = z.looseObject({ id: z.string() });

/**
 * How long a rotating token works, in seconds. Slack documents 12 hours, which is assumed if an answer
 * says nothing usable: its tokens are the only ones, and a token without an expiry isn't refreshed.
 */
export const tokenLifetime = z.number().positive().catch(43_200);

/** https://docs.slack.dev/reference/methods/oauth.v2.access */
const answerSchema = z.looseObject({
  app_id: z.string(),
  token_type: z.literal('bot'),
  access_token: z.string(),
  refresh_token: z.string().optional(),
  /** Of the bot token, if there is a refresh token. */
  expires_in: tokenLifetime,
  /** Null in an organization's installation. */
  team: idSchema.nullish(),
  /** Null for a workspace outside of any organization. */
  enterprise: idSchema.nullish(),
  is_enterprise_install: z.boolean().default(false),
  authed_user: idSchema,
});

export type OAuthAnswer = z.infer<typeof answerSchema>;

const timeoutMs = 10_000;

/**
 * Exchanges the code that Slack gave the browser for a bot token. A code works once, so a lost answer
 * is not asked for again.
 * @throws the client's error if Slack can't be reached, or ZodError if the answer isn't as documented
 */
export async function exchangeCode(
  { clientId, clientSecret, redirectUri, apiUrl }: OAuthApp,
  code: string,
  log: Logger,
): Promise<{ answer: OAuthAnswer } | { refused: string }> {
  const web = new WebClient(undefined, clientOptions({ log, apiUrl }, timeoutMs));
  try {
    const answer = await web.oauth.v2.access({
      client_id: clientId,
      client_secret: clientSecret,
      code,
      redirect_uri: redirectUri,
    });
    return { answer: answerSchema.parse(answer) };
  } catch (error) {
    const refused = slackErrorCode(error);
    if (refused === undefined) throw error;
    return { refused };
  }
}

/** Slack's page on which a person allows the app. https://docs.slack.dev/authentication/installing-with-oauth */
export function authorizeUrl(
  { clientId, redirectUri, apiUrl }: Pick<OAuthApp, 'clientId' | 'redirectUri' | 'apiUrl'>,
  { scopes, state }: { scopes: readonly string[]; state: string },
): string {
  const url = new URL('/oauth/v2/authorize', apiUrl ?? 'https://slack.com');
  const query = { client_id: clientId, scope: scopes.join(','), redirect_uri: redirectUri, state };
  url.search = new URLSearchParams(query).toString();
  return url.href;
}

/** Slack itself, in a workspace; undocumented, but what Slack's own links lead to. */
export function clientUrl({ apiUrl }: Pick<OAuthApp, 'apiUrl'>, teamId: string): string {
  return new URL(`/client/${encodeURIComponent(teamId)}`, apiUrl ?? 'https://app.slack.com').href;
}
