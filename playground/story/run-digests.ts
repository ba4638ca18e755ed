import type { Clock } from '../../src/clock.ts';
import type { Config } from '../../src/config.ts';
import { serveAll } from '../../src/database/served-teams.ts';
import type { Database } from '../../src/database/tables.ts';
import { createDiscoveryCache } from '../../src/dataprotection/dialects/discovery-cache.ts';
import { createDispatcher } from '../../src/dataprotection/http/dispatcher.ts';
import { createLimiters } from '../../src/dataprotection/http/limiter.ts';
import { createDigestRunner } from '../../src/features/digests/index.ts';
import type { Logger } from '../../src/logger.ts';
import { openStores } from '../../src/open-stores.ts';
import { createOpenService, createServiceOf } from '../../src/workspace/open-service.ts';

type Parts = { db: Database; config: Config; clock: Clock; log: Logger };

/** Runs the digests that are due. Belay itself looks for them every ten seconds only. */
export async function runDigests({ db, config, clock, log }: Parts): Promise<void> {
  const { regions, encryptionKeys } = config;
  const stores = openStores(db, { encryptionKeys, isServed: serveAll });
  const dispatcher = createDispatcher();
  const transport = {
    dispatcher,
    discoveryCache: createDiscoveryCache(),
    limiters: createLimiters(),
  };
  const runner = createDigestRunner({
    ...stores,
    store: stores.digestStore,
    listKnownPolicies: stores.policyCatalog.list,
    openService: createOpenService(stores.workspaceStore, createServiceOf({ regions, transport })),
    clock,
    log,
  });
  await runner.finish();
  await dispatcher.close();
}
