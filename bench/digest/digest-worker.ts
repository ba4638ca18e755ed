import { randomUUID } from 'node:crypto';
import { openDatabase } from '../../src/database/open-database.ts';
import { serveAll } from '../../src/database/served-teams.ts';
import { createServiceClient } from '../../src/dataprotection/client.ts';
import { createDiscoveryCache } from '../../src/dataprotection/dialects/discovery-cache.ts';
import { createDispatcher } from '../../src/dataprotection/http/dispatcher.ts';
import { createLimiters } from '../../src/dataprotection/http/limiter.ts';
import { createComplianceSamples } from '../../src/features/compliance/store/compliance-samples.ts';
import { describeCause } from '../../src/features/describe-failure.ts';
import { runDueDigests } from '../../src/features/digests/run-due-digests.ts';
import { digestOutboxHandlers } from '../../src/features/digests/store/digest-pausing.ts';
import { createDigestStore } from '../../src/features/digests/store/digest-store.ts';
import { createPolicyChanges } from '../../src/features/policy-watches/store/all-changes.ts';
import { watchOutboxHandlers } from '../../src/features/watches/store/watch-pausing.ts';
import { createLogger } from '../../src/logger.ts';
import { createDelivery, createOutboxStore, enqueueMessages } from '../../src/outbox/index.ts';
import { clientsWithToken } from '../../test/support/slack-clients.ts';
import { workerInput } from './worker-input.ts';

/**
 * A process that runs and posts digests until it is killed. Each message from its parent is the current
 * time, so that leases of killed processes expire without waiting.
 */
const input = workerInput.parse(JSON.parse(process.argv[2] ?? ''));
const { databaseUrl, slackApiUrl, botToken, connectionId, service } = input;
const { db } = await openDatabase(databaseUrl);
let now = new Date(0);
const clock = () => now;
const newId = () => randomUUID();
const log = createLogger('fatal');
const transport = {
  dispatcher: createDispatcher(),
  limiters: createLimiters(),
  discoveryCache: createDiscoveryCache(),
};
const connection = { ...service, dialect: 'documented' as const, requestsPerSecond: 10_000 };
const dependencies = {
  ...{ store: createDigestStore(db, { enqueueMessages, isServed: serveAll }), clock, log, newId },
  ...{ samples: createComplianceSamples(db, serveAll), describeCause },
  policyChanges: createPolicyChanges(db),
  openService: async () => ({
    ...{
      connectionId,
      originId: connectionId,
      organizationalUnitId: undefined,
      tokenOwner: undefined,
    },
    client: createServiceClient(connection, transport),
  }),
};
const delivery = createDelivery({
  ...{
    store: createOutboxStore(db, [watchOutboxHandlers, digestOutboxHandlers], serveAll),
    clock,
    log,
    newId,
  },
  clients: clientsWithToken(botToken, { slackApiUrl }),
});

process.on('message', (at) => {
  now = new Date(String(at));
  work().catch(() => process.exit(1));
});
process.once('disconnect', () => process.exit());
process.send?.('ready');

async function work(): Promise<void> {
  await runDueDigests(dependencies);
  await delivery.deliver();
  await delivery.settled();
  process.send?.('done');
}
