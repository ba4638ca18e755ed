import { z } from 'zod';
import { type ApiContext, type ApiMethod, method, noArguments } from './method.ts';

/** https://docs.slack.dev/reference/methods/auth.test */
const authTest = ({ state, token, baseUrl }: ApiContext) => {
  const { workspace, organization } = state;
  const isForOrganization = token?.installation.target.kind === 'organization';
  return {
    ok: true,
    url: `${baseUrl}/`,
    team: isForOrganization ? organization?.name : workspace.name,
    user: workspace.app.name.toLowerCase(),
    team_id: isForOrganization ? organization?.enterpriseId : workspace.teamId,
    user_id: token?.installation.botUserId,
    bot_id: token?.installation.botId,
    ...(organization ? { enterprise_id: organization.enterpriseId } : {}),
    is_enterprise_install: isForOrganization,
  };
};

/** https://docs.slack.dev/reference/methods/auth.teams.list */
const listTeams = (
  { directory, token }: ApiContext,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
) => {
  const granted = token?.installation.teamIds ?? [];
  const from = Number(cursor ?? 0);
  const teams = granted.slice(from, from + limit).map((id) => {
    return { id, name: directory.states.get(id)?.workspace.name };
  });
  const next = from + limit < granted.length ? String(from + limit) : '';
  return { ok: true, teams, response_metadata: { next_cursor: next } };
};

/** Methods about the app and its workspace. */
export const workspaceMethods: Record<string, ApiMethod> = {
  'api.test': method({ token: 'none' }, noArguments, (_context, args) => ({ ok: true, args })),

  'auth.test': method({ token: 'bot' }, noArguments, authTest),

  'auth.teams.list': method(
    { token: 'bot' },
    z.looseObject({
      limit: z.coerce.number().int().min(1).max(1000).default(100),
      cursor: z.string().optional(),
    }),
    listTeams,
  ),

  'apps.connections.open': method({ token: 'app' }, noArguments, ({ openSocket }) => ({
    ok: true,
    url: openSocket(),
  })),

  'team.info': method({ token: 'bot', scope: 'team:read' }, noArguments, ({ state }) => {
    const { teamId: id, name, domain } = state.workspace;
    const enterprise = state.organization
      ? {
          enterprise_id: state.organization.enterpriseId,
          enterprise_name: state.organization.name,
        }
      : {};
    return { ok: true, team: { id, name, domain, ...enterprise } };
  }),
};
