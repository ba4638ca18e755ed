import { WebClient } from '@slack/web-api';
import { z } from 'zod';
import type { Logger } from '../../logger.ts';
import { isOutcomeUnknown, retryAfterMs, slackErrorCode } from './error-codes.ts';
import { type OAuthApp, tokenLifetime } from './exchange-code.ts';
import { clientOptions } from './slack-client.ts';

/** What Slack grants for a refresh token, which is spent with it. */
export type TokenPair = { botToken: string; refreshToken: string; expiresInSeconds: number };

export type RefreshAnswer =
  | { result: 'granted'; pair: TokenPair }
  /** The refresh token will never work again. `code` is Slack's. */
  | { result: 'refused'; code: string }
  /** Temporary. With an unknown outcome the refresh token may be spent. */
  | {
      result: 'failed';
      isOutcomeUnknown: boolean;
      /** How long Slack asks to wait. */
      retryAfterMs: number | undefined;
      error: unknown;
    };

const answerSchema = z.looseObject({
  access_token: z.string(),
  refresh_token: z.string(),
  expires_in: tokenLifetime,
});

/**
 * Codes about the refresh token or the installation. All others are about the app's own credentials,
 * which an operator can correct, or temporary. https://docs.slack.dev/reference/methods/oauth.v2.access#errors
 */
const terminal = new Set([
  'invalid_refresh_token',
  'invalid_grant',
  'token_revoked',
  'token_expired',
  'account_inactive',
]);

/** Limits one exchange, in milliseconds. */
export const refreshTimeoutMs = 5000;

/**
 * Exchanges a refresh token, which works once, for a new pair. Never throws.
 * https://docs.slack.dev/authentication/using-token-rotation
 */
export async function exchangeRefreshToken(
  { clientId, clientSecret, apiUrl }: Pick<OAuthApp, 'clientId' | 'clientSecret' | 'apiUrl'>,
  refreshToken: string,
  log: Logger,
): Promise<RefreshAnswer> {
  const options = clientOptions({ log, apiUrl }, refreshTimeoutMs);
  try {
    const answer = await new WebClient(undefined, options).oauth.v2.access({
      client_id: clientId,
      client_secret: clientSecret,
      grant_type: 'refresh_token',
      refresh_token: refreshToken,
    });
    // Without the new pair an answer is as good as lost, so that its shape is checked here.
    const pair = answerSchema.parse(answer);
    return {
      result: 'granted',
      pair: {
        botToken: pair.access_token,
        refreshToken: pair.refresh_token,
        expiresInSeconds: pair.expires_in,
      },
    };
  } catch (error) {
    const code = slackErrorCode(error);
    if (code !== undefined && terminal.has(code)) return { result: 'refused', code };
    return {
      result: 'failed',
      error,
      isOutcomeUnknown: isOutcomeUnknown(error),
      retryAfterMs: retryAfterMs(error),
    };
  }
}
