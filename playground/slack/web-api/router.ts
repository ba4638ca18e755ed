import type { SlackApp } from '../workspace.ts';
import { chatMethods } from './chat.ts';
import { conversationMethods } from './conversations.ts';
import { type ApiAnswer, type ApiContext, type ApiMethod, failure } from './method.ts';
import { userMethods } from './users.ts';
import { viewMethods } from './views.ts';
import { workspaceMethods } from './workspace.ts';

const methods = new Map<string, ApiMethod>(
  Object.entries({
    ...workspaceMethods,
    ...chatMethods,
    ...viewMethods,
    ...userMethods,
    ...conversationMethods,
  }),
);

/** A recorded call, without the token. */
export type ApiCall = {
  method: string;
  arguments: Record<string, unknown>;
  result: ApiAnswer;
  at: Date;
};

const tokenProblem = (
  app: SlackApp,
  needed: ApiMethod['token'],
  token: string | undefined,
): string | undefined => {
  if (needed === 'none') return undefined;
  if (!token) return 'not_authed';
  if (token !== app.botToken && token !== app.appToken) return 'invalid_auth';
  const expected = needed === 'bot' ? app.botToken : app.appToken;
  return token === expected ? undefined : 'not_allowed_token_type';
};

const missingScope = (app: SlackApp, needed: string): ApiAnswer => ({
  ...failure('missing_scope'),
  needed,
  provided: app.scopes.join(','),
});

/** Runs a call, after checking method, token, scope and arguments. */
export const callMethod = (
  context: ApiContext,
  name: string,
  token: string | undefined,
  given: Record<string, unknown>,
): ApiAnswer => {
  const { app } = context.state.workspace;
  const called = methods.get(name);
  if (!called) return { ...failure('unknown_method'), req_method: name };
  const problem = tokenProblem(app, called.token, token);
  if (problem) return failure(problem);
  if (called.scope && !app.scopes.includes(called.scope)) return missingScope(app, called.scope);
  return called.run(context, given);
};
