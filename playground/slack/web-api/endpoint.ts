import type { IncomingMessage, ServerResponse } from 'node:http';
import { readBody, sendJson } from '../http.ts';
import { parseArguments } from './arguments.ts';
import { type ApiAnswer, type ApiContext, failure } from './method.ts';
import { type ApiCall, callMethod } from './router.ts';

export const API_PATH = '/api/';

/** What tests look at and steer: the calls so far, and errors that wait for a method's next call. */
export type ApiRecord = { calls: ApiCall[]; failures: Map<string, string[]> };

const takeFailure = (record: ApiRecord, method: string): ApiAnswer | undefined => {
  const error = record.failures.get(method)?.shift();
  return error === undefined ? undefined : failure(error);
};

const bearerOf = (request: IncomingMessage): string | undefined =>
  /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1];

/** A socket's address lets anybody in once, so the log does not hold it. */
const withoutSecrets = (method: string, result: ApiAnswer): ApiAnswer =>
  method === 'apps.connections.open' ? { ok: result.ok } : result;

/** Answers `POST /api/<method>` as Slack does: 200 with `ok: false` for nearly everything wrong. */
export const serveApi = async (
  context: ApiContext,
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
  const result = takeFailure(record, name) ?? callMethod(context, name, token, given);
  record.calls.push({
    method: name,
    arguments: given,
    result: structuredClone(withoutSecrets(name, result)),
    at: context.state.clock(),
  });
  if (result.error === 'ratelimited') response.setHeader('retry-after', '1');
  response.setHeader('x-oauth-scopes', context.state.workspace.app.scopes.join(','));
  sendJson(response, result.error === 'ratelimited' ? 429 : 200, result);
};
