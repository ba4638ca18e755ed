import type { Transaction } from 'kysely';
import type { Tables } from '../../../database/tables.ts';

/** An approvals channel, and the admin who saved the default connection. */
export type ApprovalsChannel = { teamId: string; channelId: string; ownerSlackUserId: string };

/** The approvals channels of all connected workspaces that have one. */
export async function listApprovalsChannels(trx: Transaction<Tables>): Promise<ApprovalsChannel[]> {
  const rows = await trx
    .selectFrom('workspace_settings as settings')
    .innerJoin('connection', 'connection.team_id', 'settings.team_id')
    .select(['settings.team_id', 'settings.approvals_channel_id', 'connection.saved_by'])
    .where('connection.replaced_at', 'is', null)
    .where('connection.is_default', '=', true)
    .orderBy('settings.team_id')
    .execute();
  return rows.flatMap(({ team_id: teamId, approvals_channel_id: channelId, saved_by }) =>
    channelId ? [{ teamId, channelId, ownerSlackUserId: saved_by }] : [],
  );
}
