import { sql } from 'kysely';

/**
 * The ids of this connection and of those that it replaced, if region and unit are the same: usually
 * only the token changed, so what was read over them is about the same policies.
 */
export function alikeConnections(connectionId: string) {
  return sql<string>`(
    select alike.id from connection as own
    join connection as alike
      on alike.team_id = own.team_id
      and alike.region_id = own.region_id
      and alike.organizational_unit_id is not distinct from own.organizational_unit_id
    where own.id = ${connectionId})`;
}
