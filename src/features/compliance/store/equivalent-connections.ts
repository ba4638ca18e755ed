import { sql } from 'kysely';

/**
 * The ids of this connection and of those that it replaced, if region and unit are the same: usually
 * only the token changed, so what was read over them is about the same policies.
 */
export function equivalentConnections(connectionId: string) {
  return sql<string>`(
    select other.id from connection as own
    join connection as other
      on other.team_id = own.team_id
      and other.origin_id = own.origin_id
      and other.region_id = own.region_id
      and other.organizational_unit_id is not distinct from own.organizational_unit_id
    where own.id = ${connectionId})`;
}
