import type { Database } from '../../src/database/open-database.ts';
import type { Readings } from './compare-posted.ts';

/** Which changes were found together, as Belay stored them. */
export async function readReadings(db: Database): Promise<Readings> {
  const rows = await db.selectFrom('policy_change').select(['policy_name', 'found_at']).execute();
  const together = Map.groupBy(rows, ({ found_at }) => found_at.getTime());
  return new Map(
    [...together.values()].flatMap((found) => {
      const names = found.map(({ policy_name }) => policy_name);
      return names.map((name) => [name, names] as const);
    }),
  );
}
