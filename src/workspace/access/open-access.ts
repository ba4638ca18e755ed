import type { Clock } from '../../clock.ts';
import type { Database } from '../../database/tables.ts';
import type { Logger } from '../../logger.ts';
import type { NamedPeople } from '../permissions.ts';
import { type Access, createAccess, type OpenTeams } from './access.ts';
import { createGroupDirectory } from './group-directory.ts';
import { createGroupStore } from './store/group-store.ts';
import { readStandIns } from './store/stand-in-store.ts';

/** What the roles of workspaces mean, with the members of user groups and the stand-ins kept in this database. */
export function openAccess({
  db,
  readSettings,
  openTeams,
  ...given
}: {
  db: Database;
  readSettings: (teamId: string) => Promise<NamedPeople>;
  openTeams: OpenTeams;
  clock: Clock;
  log: Logger;
}): Access {
  const store = createGroupStore(db);
  const directory = createGroupDirectory({ ...given, store });
  return createAccess({
    readSettings,
    directory,
    openTeams,
    readStandIns: (teamId) => readStandIns(db, teamId, given.clock()),
  });
}
