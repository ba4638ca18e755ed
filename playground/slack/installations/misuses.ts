import type { ApiCall } from '../web-api/router.ts';

/**
 * Calls that an app should never make: with a token that no longer worked, with one that was never
 * issued, or about something in a workspace that the token gives no access to.
 */
export const misusedTokens = (calls: readonly ApiCall[]): ApiCall[] =>
  calls.filter(
    ({ caller, result }) =>
      caller?.problem !== undefined ||
      caller?.elsewhere !== undefined ||
      result.error === 'invalid_auth',
  );
