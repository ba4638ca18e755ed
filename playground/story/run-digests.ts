import type { Clock } from '../../src/clock.ts';
import type { Config } from '../../src/config.ts';
import { serveAll } from '../../src/database/served-teams.ts';
import type { Database } from '../../src/database/tables.ts';
import { createTransport } from '../../src/dataprotection/client.ts';
import { createDigestRunner } from '../../src/features/digests/index.ts';
import type { Logger } from '../../src/logger.ts';
import { openStores } from '../../src/open-stores.ts';
import { createOpenService, createServiceOf } from '../../src/workspace/open-service.ts';

type Parts = { db: Database; config: Config; clock: Clock; log: Logger };

/** Runs the digests that are due. Belay itself looks for them every ten seconds only. */
export async function runDigests({ db, config, clock, log }: Parts): Promise<void> {
  const { regions, encryptionKeys } = config;
  const stores = openStores(db, { encryptionKeys, isServed: serveAll });
  const transport = createTransport();
  const runner = createDigestRunner({
    ...stores,
    store: stores.digestStore,
    listKnownPolicies: stores.policyCatalog.list,
    openService: createOpenService(stores.workspaceStore, createServiceOf({ regions, transport })),
    clock,
    log,
  });
  await runner.finish();
  await transport.dispatcher.close();
}
