import { createAppendEntry } from '../audit-log/append.ts';
import { systemClock } from '../clock.ts';
import { serveAll } from '../database/served-teams.ts';
import type { Database } from '../database/tables.ts';
import { createWorkspaceHandlers } from '../features/configuration/index.ts';
import { createLogger } from '../logger.ts';
import { openAccess } from '../workspace/access/access.ts';
import { dropEndedChange } from '../workspace/store/drop-changes.ts';
import { createTokenCipher } from '../workspace/store/token-cipher.ts';
import { createWorkspaceStore } from '../workspace/store/workspace-store.ts';

/** The setup of all workspaces, which is saved as the running Belay saves it, and who has which role. */
export function openStore(db: Database, encryptionKeys: Buffer[]) {
  const cipher = createTokenCipher(encryptionKeys);
  const hooks = {
    append: createAppendEntry(encryptionKeys),
    // The running Belay finds the requests whose messages a change outdates.
    onChanged: async () => undefined,
    onEnded: dropEndedChange,
  };
  const handlers = createWorkspaceHandlers({ hooks, cipher });
  const store = createWorkspaceStore(db, cipher, { ...handlers, isServed: serveAll });
  const access = openAccess({
    db,
    readSettings: store.readSettings,
    clock: systemClock,
    log: createLogger('silent'),
  });
  return { cipher, hooks, store, access };
}
