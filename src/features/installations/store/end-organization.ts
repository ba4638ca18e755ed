import { sql, type Transaction } from 'kysely';
import type { Tables } from '../../../database/tables.ts';

/**
 * Ends Belay in every workspace that used an organization's installation, including workspaces that were
 * removed from it earlier. Each gets an installation row in state `uninstalling`, which deletes its data
 * like that of any workspace. A workspace with a working installation of its own isn't affected. Runs in
 * the transaction that ends the organization's installation; resolves to the ids of the workspaces.
 */
export async function endOrganization(
  trx: Transaction<Tables>,
  organizationId: string,
  at: Date,
): Promise<string[]> {
  const { rows } = await sql<{ team_id: string }>`
    insert into installation (id, team_id, enterprise_id, app_id, bot_user_id, scopes, state,
      installed_by, installed_at, uninstalled_at, check_at)
    select gen_random_uuid(), member.team_id, member.enterprise_id, whole.app_id,
      whole.bot_user_id, whole.scopes, 'uninstalling', whole.installed_by, whole.installed_at,
      ${at}::timestamptz, ${at}::timestamptz
    from organization_workspace member
    join installation whole on whole.team_id = member.enterprise_id
    where member.enterprise_id = ${organizationId}
    on conflict (team_id) do update set state = 'uninstalling', version = installation.version + 1,
      bot_token_sealed = null, refresh_token_sealed = null,
      uninstalled_at = excluded.uninstalled_at, check_at = excluded.check_at
      where installation.state = 'reinstall_needed'
    returning team_id`.execute(trx);
  await trx
    .deleteFrom('organization_workspace')
    .where('enterprise_id', '=', organizationId)
    .execute();
  return rows.map(({ team_id: teamId }) => teamId);
}
