import type { Config } from './config.ts';
import type { Database } from './database/open-database.ts';
import { type ServedTeams, serveOnly } from './database/served-teams.ts';
import { listConnectedTeams } from './features/workspaces/index.ts';
import type { Logger } from './logger.ts';
import type { ReadBotToken } from './slack/api/slack-clients.ts';
import { readTokenTeam } from './slack/server/slack-app.ts';

export type Workspaces = {
  /** The workspaces that this process works for. */
  isServed: ServedTeams;
  readToken: ReadBotToken;
};

/**
 * The one workspace of the bot token. Work of any other in the database is left as it is.
 * @throws Error with one line for the operator when Slack refuses the token
 */
export async function openWorkspaces(
  { botToken: token, apiUrl }: Config['slack'],
  { db, log }: { db: Database; log: Logger },
): Promise<Workspaces> {
  const ownTeamId = await readTokenTeam({ botToken: token, apiUrl }, log);
  for (const teamId of await listConnectedTeams(db)) {
    if (teamId !== ownTeamId) {
      log.warn({ teamId }, 'the database has data of another workspace, which is left as it is');
    }
  }
  return {
    isServed: serveOnly(ownTeamId),
    readToken: async ({ teamId }) =>
      teamId === ownTeamId ? { token, version: 'environment' } : undefined,
  };
}
