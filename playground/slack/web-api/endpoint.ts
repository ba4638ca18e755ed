import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { parseJson, readBody, sendJson } from '../http.ts';
import { countMessage, type MessageRate } from './message-rate.ts';
import { type ApiAnswer, failure } from './method.ts';
import { type ApiCall, type CallContext, type Called, callMethod } from './router.ts';

const record = z.record(z.string(), z.unknown());

/** Arguments that forms carry as JSON text. */
const JSON_FIELDS = new Set(['blocks', 'view', 'metadata', 'attachments']);

// Invalid JSON stays a string, so that the schema of the method reports it.
const fromForm = (form: URLSearchParams): Record<string, unknown> =>
  Object.fromEntries(
    [...form].map(([key, value]) => [
      key,
      JSON_FIELDS.has(key) ? (parseJson(value) ?? value) : value,
    ]),
  );

/** Parses the arguments of a call from query, form or JSON body. */
export const parseArguments = (
  contentType: string,
  body: string,
  query: URLSearchParams,
): Record<string, unknown> => {
  const inQuery = fromForm(query);
  if (!contentType.startsWith('application/json')) {
    return { ...inQuery, ...fromForm(new URLSearchParams(body)) };
  }
  const parsed = record.safeParse(parseJson(body));
  return { ...inQuery, ...(parsed.success ? parsed.data : {}) };
};

export const API_PATH = '/api/';

/** A fault for a call: an error code, or a failure on the way to the app. */
export type ApiFault =
  | string
  /** This HTTP status, without a body. */
  | { status: number; afterActing?: true }
  /** The call takes effect, but the answer is this error. */
  | { error: string; afterActing: true }
  /** HTTP 429 with this Retry-After. */
  | { retryAfterSeconds: number }
  /** The call takes effect, but the connection ends without an answer. */
  | { isAnswerLost: true };

/** What tests inspect and control: recorded calls, faults for the next calls, and message rates. */
export type ApiRecord = {
  calls: ApiCall[];
  faults: Map<string, ApiFault[]>;
  rates: Map<string, MessageRate>;
};

const faultyAnswer = (fault: ApiFault | undefined): ApiAnswer | undefined => {
  if (fault === undefined) return undefined;
  if (typeof fault === 'string') return failure(fault);
  if ('isAnswerLost' in fault || 'afterActing' in fault) return undefined;
  return failure('status' in fault ? `http_${fault.status}` : 'ratelimited');
};

const secondsToWait = (fault: ApiFault | undefined): number =>
  typeof fault === 'object' && 'retryAfterSeconds' in fault ? fault.retryAfterSeconds : 1;

const bearerOf = (request: IncomingMessage): string | undefined =>
  /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1];

/** Client credentials in a header: https://www.rfc-editor.org/rfc/rfc6749#section-2.3.1 */
const basicOf = (request: IncomingMessage): Record<string, unknown> => {
  const encoded = /^Basic (\S+)$/.exec(request.headers.authorization ?? '')?.[1];
  if (!encoded) return {};
  const [id = '', secret = ''] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  return { client_id: decodeURIComponent(id), client_secret: decodeURIComponent(secret) };
};

/** Not recorded. A socket URL is a credential too. */
const SECRETS = new Set(['access_token', 'refresh_token', 'client_secret', 'code']);

const withoutSecrets = (method: string, fields: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(fields).filter(
      ([name]) => !SECRETS.has(name) && !(method === 'apps.connections.open' && name === 'url'),
    ),
  );

/** Answers `POST /api/<method>` as Slack does: nearly all errors are 200 with `ok: false`. */
export const serveApi = async (
  context: Omit<CallContext, 'remotePort'>,
  record: ApiRecord,
  url: URL,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const name = url.pathname.slice(API_PATH.length);
  const contentType = request.headers['content-type'] ?? '';
  const { token: inBody, ...given } = parseArguments(
    contentType,
    await readBody(request),
    url.searchParams,
  );
  const token = bearerOf(request) ?? (typeof inBody === 'string' ? inBody : undefined);
  const fault = record.faults.get(name)?.shift();
  const faulty = faultyAnswer(fault);
  const { remotePort } = request.socket;
  const called: Called = faulty
    ? { result: faulty }
    : callMethod({ ...context, remotePort }, name, token, { ...basicOf(request), ...given });
  const { result, caller } = called;
  const at = context.directory.clock();
  record.calls.push({
    method: name,
    arguments: withoutSecrets(name, given),
    result: { ...structuredClone(withoutSecrets(name, result)), ok: result.ok },
    at,
    ...(caller ? { caller } : {}),
  });
  countMessage(record.rates, { teamId: caller?.teamId, method: name, result, at });
  if (typeof fault === 'object' && 'isAnswerLost' in fault) return void response.destroy();
  if (typeof fault === 'object' && 'status' in fault) {
    return void response.writeHead(fault.status).end();
  }
  if (typeof fault === 'object' && 'error' in fault) {
    return sendJson(response, 200, failure(fault.error));
  }
  if (result.error === 'ratelimited') response.setHeader('retry-after', secondsToWait(fault));
  const scopes = context.directory.tokens.access.get(token ?? '')?.installation.scopes() ?? [];
  response.setHeader('x-oauth-scopes', scopes.join(','));
  sendJson(response, result.error === 'ratelimited' ? 429 : 200, result);
};
