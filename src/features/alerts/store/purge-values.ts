import { purgeTables } from '../../../database/team-purge.ts';

/** In known-value-store.ts this would close an import cycle through the declarations of all tables. */
export const purgeKnownValues = purgeTables('alert_value');
