import type { Directory } from '../installations/directory.ts';
import { targetId } from '../installations/installation.ts';
import { type AccessToken, problemOf } from '../installations/tokens.ts';
import { chatMethods } from './chat.ts';
import { chooseState, workspaceElsewhere } from './choose-state.ts';
import { conversationMethods } from './conversations.ts';
import type { ApiFault } from './faults.ts';
import { type ApiAnswer, type ApiContext, type ApiMethod, failure } from './method.ts';
import { oauthMethods } from './oauth.ts';
import { userGroupMethods } from './user-groups.ts';
import { userMethods } from './users.ts';
import { viewMethods } from './views.ts';
import { workspaceMethods } from './workspace.ts';

const methods = new Map<string, ApiMethod>(
  Object.entries({
    ...workspaceMethods,
    ...oauthMethods,
    ...chatMethods,
    ...viewMethods,
    ...userMethods,
    ...userGroupMethods,
    ...conversationMethods,
  }),
);

/** The token of a call, also a refresh token. */
export type Caller = {
  /** Names the token without being a credential. */
  tokenId: string;
  /** The workspace or organization of its installation, `T…` or `E…`. */
  targetId: string;
  /** The workspace the call acted in; undefined if it was refused before. */
  teamId?: string;
  /** Why the token no longer worked, such as `token_expired`. */
  problem?: string;
  /** The workspace that has the named channel or person, if the token gives no access to it. */
  elsewhere?: string;
};

/** A recorded call, without the token. */
export type ApiCall = {
  method: string;
  arguments: Record<string, unknown>;
  result: ApiAnswer;
  at: Date;
  /** Undefined for calls without a token of an installation. */
  caller?: Caller;
  /** The fault that a test set for the call. */
  fault?: ApiFault;
};

/** `teamId`: the workspace that the call acted in. */
export type Called = { result: ApiAnswer; teamId?: string };

type Given = Record<string, unknown>;
export type CallContext = Omit<ApiContext, 'state' | 'token'>;

export const callerOf = (
  directory: Directory,
  token: string | undefined,
  given: Given,
): Caller | undefined => {
  const { access, refresh } = directory.tokens;
  const refreshToken = refresh.get(String(given.refresh_token));
  if (refreshToken) {
    const { tokenId, installation } = refreshToken;
    return { tokenId, targetId: targetId(installation.target) };
  }
  const botToken = access.get(token ?? '');
  if (!botToken) return undefined;
  const { tokenId, installation } = botToken;
  const problem = problemOf(botToken, directory.clock);
  const elsewhere = workspaceElsewhere(directory, installation, given);
  return {
    tokenId,
    targetId: targetId(installation.target),
    ...(problem ? { problem } : {}),
    ...(elsewhere ? { elsewhere } : {}),
  };
};

const missingScope = (provided: readonly string[], needed: string): ApiAnswer => ({
  ...failure('missing_scope'),
  needed,
  provided: provided.join(','),
});

/** Calls with the app-level token, or without a token. */
const callAsApp = (context: CallContext, called: ApiMethod, given: Given): Called => {
  const [state] = context.directory.states.values();
  if (!state) throw new Error('A local Slack needs a workspace.');
  return { result: called.run({ ...context, state, token: undefined }, given) };
};

const callAsBot = (
  context: CallContext,
  { called, name, token }: { called: ApiMethod; name: string; token: AccessToken },
  given: Given,
): Called => {
  const { directory } = context;
  const problem = problemOf(token, directory.clock);
  if (problem) return { result: failure(problem) };
  if (called.token === 'app') return { result: failure('not_allowed_token_type') };
  const scopes = token.installation.scopes();
  if (called.scope && !scopes.includes(called.scope)) {
    return { result: missingScope(scopes, called.scope) };
  }
  const chosen = chooseState(directory, token.installation, name, given);
  if (!chosen.ok) return { result: failure(chosen.error) };
  const { state } = chosen;
  const result = called.run({ ...context, state, token }, given);
  return { result, teamId: state.workspace.teamId };
};

/** Runs a call, after checking method, token, scope and arguments. */
export const callMethod = (
  context: CallContext,
  name: string,
  token: string | undefined,
  given: Given,
): Called => {
  const { app, tokens } = context.directory;
  const called = methods.get(name);
  if (!called) return { result: { ...failure('unknown_method'), req_method: name } };
  if (called.token === 'none') return callAsApp(context, called, given);
  if (!token) return { result: failure('not_authed') };
  if (token === app.appToken) {
    if (called.token === 'app') return callAsApp(context, called, given);
    return { result: failure('not_allowed_token_type') };
  }
  const botToken = tokens.access.get(token);
  if (!botToken) return { result: failure('invalid_auth') };
  return callAsBot(context, { called, name, token: botToken }, given);
};
