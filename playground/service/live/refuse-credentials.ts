import type { IncomingHttpHeaders } from 'node:http';
import { type Answer, json } from '../answer.ts';
import { refuseCredentials as refuseToken } from '../authorize.ts';

const missingTokenCode = 359;

/** 403 without a token, as was observed; 401 for one that is not, or no longer, good. */
export function refuseCredentials(headers: IncomingHttpHeaders): Answer {
  if (headers.authorization) return refuseToken();
  const error = { error_code: missingTokenCode, error_message: 'No token was given.' };
  return json(403, { errors: [error] });
}
