import type { ApiCall } from '../web-api/router.ts';
import type { RefreshRecord } from './refresh-tokens.ts';

/**
 * Calls that an app should never make: with a token that was dead by then, with one that was never
 * issued, or about something in a workspace that the token gives no access to.
 */
export const misusedTokens = (calls: readonly ApiCall[]): ApiCall[] =>
  calls.filter(
    ({ caller, result }) =>
      caller?.problem !== undefined ||
      caller?.elsewhere !== undefined ||
      result.error === 'invalid_auth',
  );

/** Exchanges of refresh tokens that had been exchanged before. */
export const repeatedRefreshes = (refreshes: readonly RefreshRecord[]): RefreshRecord[] =>
  refreshes.filter(({ attempt }) => attempt > 1);
