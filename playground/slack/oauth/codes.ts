import type { InstallTarget } from '../installations/installation.ts';
import { unguessable } from '../state.ts';

const CODE_LIFE_MS = 10 * 60 * 1000;

/** What a person allowed, until the app exchanges the code. */
export type Grant = {
  target: InstallTarget;
  installerId: string;
  scopes: string[];
  /** Undefined if the request named none; then the exchange must not name one either. */
  redirectUri: string | undefined;
};

export type Code = Grant & { expiresAt: number; isUsed: boolean };

type Codes = Map<string, Code>;

/** Issues a code that can be exchanged once within ten minutes. */
export const issueCode = (codes: Codes, grant: Grant, now: number): string => {
  const code = `${unguessable()}.${unguessable()}`;
  codes.set(code, { ...grant, expiresAt: now + CODE_LIFE_MS, isUsed: false });
  return code;
};

type CodeError = 'invalid_code' | 'code_already_used' | 'bad_redirect_uri';

/** Redeems a code. A code that is refused for its redirect URI can still be redeemed. */
export const redeemCode = (
  codes: Codes,
  code: string,
  redirectUri: string | undefined,
  now: number,
): { ok: true; grant: Grant } | { ok: false; error: CodeError } => {
  const found = codes.get(code);
  if (!found || now > found.expiresAt) return { ok: false, error: 'invalid_code' };
  if (found.isUsed) return { ok: false, error: 'code_already_used' };
  if (found.redirectUri !== redirectUri) return { ok: false, error: 'bad_redirect_uri' };
  found.isUsed = true;
  return { ok: true, grant: found };
};
