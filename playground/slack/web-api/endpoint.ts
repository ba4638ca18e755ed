import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { parseJson } from '../../../src/json.ts';
import type { ExchangeLog } from '../exchanges.ts';
import { readBody } from '../http.ts';
import type { Received } from '../received.ts';
import { type FaultBook, faultyAnswer, sendAnswer } from './faults.ts';
import { countMessage, type MessageRate } from './message-rate.ts';
import { type ApiCall, type CallContext, type Called, callerOf, callMethod } from './router.ts';

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
const parseArguments = (
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

/** What tests inspect and control: recorded calls, faults for the next calls, and message rates. */
export type ApiRecord = {
  calls: ApiCall[];
  received: Received[];
  faults: FaultBook;
  rates: Map<string, MessageRate>;
  exchanges: ExchangeLog;
};

const bearerOf = (request: IncomingMessage): string | undefined =>
  /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1];

/** Client credentials in a header: https://www.rfc-editor.org/rfc/rfc6749#section-2.3.1 */
const basicOf = (request: IncomingMessage): Record<string, unknown> => {
  const encoded = /^Basic (\S+)$/.exec(request.headers.authorization ?? '')?.[1];
  if (!encoded) return {};
  const [id = '', secret = ''] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  return { client_id: decodeURIComponent(id), client_secret: decodeURIComponent(secret) };
};

/** Never recorded. A socket URL is a credential too. */
const SECRETS = new Set(['access_token', 'refresh_token', 'client_secret', 'code']);

const withoutSecrets = (method: string, fields: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(fields).filter(
      ([name]) => !SECRETS.has(name) && !(method === 'apps.connections.open' && name === 'url'),
    ),
  );

/** Answers `POST /api/<method>` as Slack does: nearly all errors are 200 with `ok: false`. */
export const serveApi = async (
  context: CallContext,
  record: ApiRecord,
  url: URL,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const startedAt = performance.now();
  const name = url.pathname.slice(API_PATH.length);
  const contentType = request.headers['content-type'] ?? '';
  const { token: inBody, ...given } = parseArguments(
    contentType,
    await readBody(request),
    url.searchParams,
  );
  const token = bearerOf(request) ?? (typeof inBody === 'string' ? inBody : undefined);
  const fullyGiven = { ...basicOf(request), ...given };
  const caller = callerOf(context.directory, token, fullyGiven);
  const fault = record.faults.take(name, caller?.targetId, fullyGiven.channel);
  const faulty = faultyAnswer(fault);
  const called: Called = faulty ? { result: faulty } : callMethod(context, name, token, fullyGiven);
  const { result, teamId } = called;
  const at = context.directory.clock();
  record.calls.push({
    method: name,
    arguments: withoutSecrets(name, given),
    result: { ...structuredClone(withoutSecrets(name, result)), ok: result.ok },
    at,
    ...(caller ? { caller: { ...caller, ...(teamId ? { teamId } : {}) } } : {}),
    ...(fault === undefined ? {} : { fault }),
  });
  record.exchanges.add({
    at: at.toISOString(),
    startedAt,
    to: 'slack',
    name,
    outcome: result.ok ? 'ok' : String(result.error),
    request: given,
    response: result,
  });
  if (teamId) record.received.push({ teamId, via: name, content: given, at });
  countMessage(record.rates, { teamId, method: name, result, at });
  const scopes = context.directory.tokens.access.get(token ?? '')?.installation.scopes() ?? [];
  response.setHeader('x-oauth-scopes', scopes.join(','));
  sendAnswer(response, result, fault);
};
