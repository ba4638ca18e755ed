import type { Transaction } from 'kysely';
import type { ServedTeams } from '../../database/served-teams.ts';
import type { Database, Tables } from '../../database/tables.ts';
import { toSettings } from './setup-row.ts';

/** The workspaces with a connection. */
export async function listConnectedTeams(db: Database): Promise<string[]> {
  const rows = await db
    .selectFrom('connection')
    .select('team_id')
    .distinct()
    .where('replaced_at', 'is', null)
    .orderBy('team_id')
    .execute();
  return rows.map(({ team_id }) => team_id);
}

/** An approvals channel, and the admin who saved the default connection. */
type ApprovalsChannel = { teamId: string; channelId: string; ownerSlackUserId: string };

/** The approvals channels of the connected workspaces that have one. */
export async function listApprovalsChannels(
  trx: Transaction<Tables>,
  isServed: ServedTeams,
): Promise<ApprovalsChannel[]> {
  const rows = await trx
    .selectFrom('workspace_settings as settings')
    .innerJoin('connection', 'connection.team_id', 'settings.team_id')
    .select(['settings.team_id', 'settings.settings', 'connection.saved_by'])
    .where('connection.replaced_at', 'is', null)
    .where('connection.is_default', '=', true)
    .where(isServed('settings.team_id'))
    .orderBy('settings.team_id')
    .execute();
  return rows.flatMap(({ team_id: teamId, saved_by, ...row }) => {
    const { approvalsChannel: channelId } = toSettings(row);
    return channelId ? [{ teamId, channelId, ownerSlackUserId: saved_by }] : [];
  });
}
