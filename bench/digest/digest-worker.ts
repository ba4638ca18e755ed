import { readConfig } from '../../src/config.ts';
import { openDatabase } from '../../src/database/open-database.ts';
import { createServiceClient, createTransport } from '../../src/dataprotection/client.ts';
import { createComplianceSamples } from '../../src/features/compliance/store/compliance-samples.ts';
import { createDigestRunner } from '../../src/features/digests/run-due-digests.ts';
import { digestOutboxHandlers } from '../../src/features/digests/store/digest-kind.ts';
import { createDigestStore } from '../../src/features/digests/store/digest-store.ts';
import { createPolicyChanges } from '../../src/features/policy-watches/store/all-changes.ts';
import { watchOutboxHandlers } from '../../src/features/watches/store/watch-kinds.ts';
import { createLogger } from '../../src/logger.ts';
import { openWorkspaces } from '../../src/open-workspaces.ts';
import { createDelivery } from '../../src/postings/outbox/deliver.ts';
import { enqueueMessages } from '../../src/postings/outbox/enqueue.ts';
import { createOutboxStore } from '../../src/postings/outbox/store/outbox-store.ts';
import { createSlackClients } from '../../src/slack/api/slack-clients.ts';
import { workerInput } from './worker-input.ts';

/**
 * A process that runs and posts digests until it is killed. Each message from its parent is the current
 * time, so that leases of killed processes expire without waiting.
 */
const input = workerInput.parse(JSON.parse(process.argv[2] ?? ''));
const { env, connectionId, service } = input;
const config = readConfig(env);
const { db } = await openDatabase(config.databaseUrl);
let now = new Date(0);
const clock = () => now;
const log = createLogger('fatal');
const { isServed, readToken, oauth } = await openWorkspaces(config, {
  db,
  clock,
  log,
  metrics: undefined,
  timings: undefined,
});
const { apiUrl: slackApiUrl = '' } = config.slack;
const transport = createTransport();
const connection = { ...service, dialect: 'documented' as const, requestsPerSecond: 10_000 };
const dependencies = {
  store: createDigestStore(db, { enqueueMessages, isServed }),
  clock,
  log,
  samples: createComplianceSamples(db, isServed),
  listKnownPolicies: async () => [],
  policyChanges: createPolicyChanges(db),
  openService: async () => ({
    connectionId,
    originId: connectionId,
    organizationalUnitId: undefined,
    tokenOwner: undefined,
    client: createServiceClient(connection, transport),
  }),
};
const runner = createDigestRunner(dependencies);
const delivery = createDelivery({
  store: createOutboxStore(db, [watchOutboxHandlers, digestOutboxHandlers], isServed),
  clock,
  log,
  clients: createSlackClients({
    readToken,
    options: { slackApiUrl, retryConfig: { retries: 0 }, fetch },
    log,
  }),
});

process.on('message', (at) => {
  now = new Date(String(at));
  work().catch(() => process.exit(1));
});
process.once('disconnect', () => process.exit());
process.send?.('ready');

async function work(): Promise<void> {
  await oauth?.rotation.refreshTokens.finish();
  await runner.finish();
  await delivery.deliver.finish();
  process.send?.('done');
}
