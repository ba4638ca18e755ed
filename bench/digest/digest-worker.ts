import { randomUUID } from 'node:crypto';
import { WebClient } from '@slack/web-api';
import { createServiceClient } from '../../src/dataprotection/client.ts';
import { createDiscoveries } from '../../src/dataprotection/discoveries.ts';
import { createDispatcher } from '../../src/dataprotection/dispatcher.ts';
import { createLimiters } from '../../src/dataprotection/limiter.ts';
import { chooseCounted } from '../../src/features/delivery/choose-counted.ts';
import { createDelivery } from '../../src/features/delivery/create-delivery.ts';
import { mergeReplies } from '../../src/features/delivery/merge-replies.ts';
import { runDueDigests } from '../../src/features/digests/run-due-digests.ts';
import { describeCause } from '../../src/features/failure-reply.ts';
import { createLogger } from '../../src/logger.ts';
import { createComplianceSamples } from '../../src/storage/compliance-samples.ts';
import { createDeliveryStore } from '../../src/storage/delivery-store.ts';
import { createDigestStore } from '../../src/storage/digest-store.ts';
import { openDatabase } from '../../src/storage/open-database.ts';
import { createQueueOutgoing } from '../../src/storage/outbox.ts';
import { workerOrders } from './worker-orders.ts';

/**
 * A process that runs and posts digests until it is killed. It is told one moment at a time and does
 * what is due then, so that leases of those killed before it are over without anybody waiting.
 */
const orders = workerOrders.parse(JSON.parse(process.argv[2] ?? ''));
const { databaseUrl, slackApiUrl, botToken, connectionId, service } = orders;
const { db } = await openDatabase(databaseUrl);
let now = new Date(0);
const clock = () => now;
const newId = () => randomUUID();
const log = createLogger('fatal');
const queueOutgoing = createQueueOutgoing({ chooseCounted, mergeReplies });
const transport = {
  dispatcher: createDispatcher(),
  limiters: createLimiters(),
  discoveries: createDiscoveries(),
};
const connection = { ...service, form: 'documented' as const, requestsPerSecond: 10_000 };
const dependencies = {
  ...{ store: createDigestStore(db, { queueOutgoing }), clock, log, newId },
  ...{ samples: createComplianceSamples(db), describeCause },
  openService: async () => ({
    ...{ connectionId, organizationalUnitId: undefined, tokenOwner: undefined },
    client: createServiceClient(connection, transport),
  }),
};
const delivery = createDelivery({
  ...{ store: createDeliveryStore(db, { queueOutgoing }), clock, log, newId },
  slack: new WebClient(botToken, { slackApiUrl }),
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
