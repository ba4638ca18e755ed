import { purgeTables } from '../../../database/team-purge.ts';

/** Not in known-value-store.ts, which the declarations of the tables import. */
export const purgeKnownValues = purgeTables('alert_value');
