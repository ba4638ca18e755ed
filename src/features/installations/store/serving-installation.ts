import { type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely';
import type { InstallationTable } from './tables.ts';

/**
 * A condition on rows of `installation`: whether one is used for the workspace now. A workspace's own
 * takes precedence over its organization's, even while its data is being deleted, but not once Belay
 * must be installed again.
 */
export function servesTeam(team: RawBuilder<unknown>): RawBuilder<SqlBool> {
  return sql`installation.state = 'active' and (installation.team_id = ${team}
    or (installation.team_id = (
        select enterprise_id from organization_workspace member
        where member.team_id = ${team} and member.removed_at is null)
      and not exists (select 1 from installation own
        where own.team_id = ${team} and own.state <> 'reinstall_needed')))`;
}

/** Whether any installation is used for the workspace now. */
export function isServing(team: RawBuilder<unknown>): RawBuilder<SqlBool> {
  return sql`exists (select 1 from installation where ${servesTeam(team)})`;
}

/** The organization (`E…`) that the installation is for; undefined if it is for one workspace. */
export function organizationOf({
  team_id: installedIn,
  enterprise_id: enterpriseId,
}: Pick<Selectable<InstallationTable>, 'team_id' | 'enterprise_id'>): string | undefined {
  return installedIn === enterpriseId ? installedIn : undefined;
}
