import { z } from 'zod';
import { type Directory, install, organizationAt } from '../installations/directory.ts';
import type { Installation, InstallTarget } from '../installations/installation.ts';
import { rotate } from '../installations/refresh-tokens.ts';
import type { IssuedTokens } from '../installations/tokens.ts';
import { redeemCode } from '../oauth/codes.ts';
import { type ApiAnswer, type ApiMethod, failure, method } from './method.ts';

/** Client credentials, from the body or from Basic authentication. */
const credentials = {
  client_id: z.string().optional(),
  client_secret: z.string().optional(),
};

/** The error for wrong credentials of the app. */
const credentialProblem = (
  { app }: Directory,
  given: { client_id?: string | undefined; client_secret?: string | undefined },
): string | undefined => {
  if (given.client_id !== app.clientId) return 'invalid_client_id';
  return given.client_secret === app.clientSecret ? undefined : 'bad_client_secret';
};

const enterpriseAt = (directory: Directory, target: InstallTarget) => {
  const organization = organizationAt(directory, target);
  return organization ? { id: organization.enterpriseId, name: organization.name } : null;
};

const teamAt = ({ states }: Directory, target: InstallTarget) => {
  const state = target.kind === 'workspace' ? states.get(target.teamId) : undefined;
  return state ? { id: state.workspace.teamId, name: state.workspace.name } : null;
};

const tokenAnswer = (
  directory: Directory,
  installation: Installation,
  { access, refresh }: IssuedTokens,
): ApiAnswer => ({
  ok: true,
  app_id: directory.app.appId,
  scope: installation.scopes().join(','),
  token_type: 'bot',
  access_token: access.token,
  bot_user_id: installation.botUserId,
  ...(refresh ? { refresh_token: refresh.token, expires_in: installation.tokenLifeSeconds } : {}),
  team: teamAt(directory, installation.target),
  enterprise: enterpriseAt(directory, installation.target),
  is_enterprise_install: installation.target.kind === 'organization',
});

const accessArguments = z.looseObject({
  ...credentials,
  grant_type: z.string().default('authorization_code'),
  code: z.string().default(''),
  redirect_uri: z.string().optional(),
  refresh_token: z.string().default(''),
});
type AccessArguments = z.infer<typeof accessArguments>;

const exchangeCode = (directory: Directory, { code, redirect_uri }: AccessArguments): ApiAnswer => {
  const now = directory.clock().getTime();
  const redeemed = redeemCode(directory.codes, code, redirect_uri, now);
  if (!redeemed.ok) return failure(redeemed.error);
  const { target, installerId, scopes } = redeemed.grant;
  const issued = install(directory, target, { installerId, scopes });
  const answer = tokenAnswer(directory, issued.access.installation, issued);
  return { ...answer, authed_user: { id: installerId } };
};

const refresh = (directory: Directory, args: AccessArguments): ApiAnswer => {
  const rotated = rotate(directory, args.refresh_token);
  if (!rotated) return failure('invalid_refresh_token');
  return tokenAnswer(directory, rotated.installation, rotated.issued);
};

/** https://docs.slack.dev/reference/methods/oauth.v2.access */
export const oauthMethods: Record<string, ApiMethod> = {
  'oauth.v2.access': method({ token: 'none' }, accessArguments, ({ directory }, args) => {
    const problem = credentialProblem(directory, args);
    if (problem) return failure(problem);
    if (args.grant_type === 'refresh_token') return refresh(directory, args);
    if (args.grant_type !== 'authorization_code') return failure('invalid_grant_type');
    return exchangeCode(directory, args);
  }),
};
