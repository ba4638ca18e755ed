import { type ApiMethod, method, noArguments } from './method.ts';

/** Methods about the app and its workspace. */
export const workspaceMethods: Record<string, ApiMethod> = {
  'api.test': method({ token: 'none' }, noArguments, (_context, args) => ({ ok: true, args })),

  'auth.test': method({ token: 'bot' }, noArguments, ({ state: { workspace }, baseUrl }) => ({
    ok: true,
    url: `${baseUrl}/`,
    team: workspace.name,
    team_id: workspace.teamId,
    user: workspace.app.name.toLowerCase(),
    user_id: workspace.app.botUserId,
    bot_id: workspace.app.botId,
    is_enterprise_install: false,
  })),

  'apps.connections.open': method({ token: 'app' }, noArguments, ({ openSocket }) => ({
    ok: true,
    url: openSocket(),
  })),

  'team.info': method(
    { token: 'bot', scope: 'team:read' },
    noArguments,
    ({ state: { workspace } }) => ({
      ok: true,
      team: { id: workspace.teamId, name: workspace.name, domain: workspace.domain },
    }),
  ),
};
