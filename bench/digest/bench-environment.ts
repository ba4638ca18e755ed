import { startReferenceService } from '../../playground/service/start-service.ts';
import { startLocalSlack } from '../../playground/slack/local-slack.ts';
import { createWorkspace } from '../../playground/slack/workspace.ts';
import { openDatabase } from '../../src/database/open-database.ts';
import { serveAll } from '../../src/database/served-teams.ts';
import {
  createServiceClient,
  createTransport,
  type ServiceClient,
} from '../../src/dataprotection/client.ts';
import { createComplianceSamples } from '../../src/features/compliance/store/compliance-samples.ts';
import { createDigestRunner } from '../../src/features/digests/run-due-digests.ts';
import { digestOutboxHandlers } from '../../src/features/digests/store/digest-kind.ts';
import { createDigestStore } from '../../src/features/digests/store/digest-store.ts';
import { createPolicyChanges } from '../../src/features/policy-watches/store/all-changes.ts';
import { watchOutboxHandlers } from '../../src/features/watches/store/watch-kinds.ts';
import { createLogger } from '../../src/logger.ts';
import { createDelivery } from '../../src/postings/outbox/deliver.ts';
import { enqueueMessages } from '../../src/postings/outbox/enqueue.ts';
import { createOutboxStore } from '../../src/postings/outbox/store/outbox-store.ts';
import { clientsWithToken } from '../../test/support/slack-clients.ts';
import { digestPlaces, insertWorkspaces } from './insert-workspaces.ts';

/** High enough never to limit: the benchmark measures Belay, not its rate limiter. */
const requestsPerSecond = 10_000;
/** The page size that Belay asks the public service for. */
const pageSize = 100;

/** Digests of many workspaces, each with a separate connection to one reference service. */
export async function openBenchEnvironment(dueAt: Date) {
  const service = await startReferenceService({ now: dueAt, pageSize });
  const workspace = createWorkspace();
  const [portal] = service.portals;
  if (!portal) throw new Error('the reference service has no portal');
  const { db, close } = await openDatabase('pglite:memory');
  const transport = createTransport();

  let serviceCalls = 0;
  const countCalls = (client: ServiceClient): ServiceClient => ({
    ...client,
    send(request, schema) {
      serviceCalls += 1;
      return client.send(request, schema);
    },
  });

  async function run(count: number) {
    const { connections, channels } = await insertWorkspaces(db, {
      places: digestPlaces(count),
      dueAt,
    });
    // Slack limits posts per channel, so each workspace has a separate channel.
    const slack = await startLocalSlack({ workspace: { ...workspace, channels } });
    const log = createLogger('error');
    const clock = () => dueAt;
    const clients = clientsWithToken(workspace.app.botToken, { slackApiUrl: slack.apiUrl });
    const delivery = createDelivery({
      store: createOutboxStore(db, [watchOutboxHandlers, digestOutboxHandlers], serveAll),
      clients,
      clock,
      log,
    });
    const dependencies = {
      store: createDigestStore(db, { enqueueMessages, isServed: serveAll }),
      clock,
      log,
      samples: createComplianceSamples(db, serveAll),
      listKnownPolicies: async () => [],
      policyChanges: createPolicyChanges(db),
      async openService(teamId: string) {
        const connectionId = connections.get(teamId);
        if (!connectionId || !portal) return undefined;
        const { baseUrl, token } = portal;
        const connection = { baseUrl, dialect: 'documented' as const, token, requestsPerSecond };
        return {
          connectionId,
          originId: connectionId,
          organizationalUnitId: undefined,
          tokenOwner: undefined,
          client: countCalls(createServiceClient(connection, transport)),
        };
      },
    };

    serviceCalls = 0;
    const cpuBefore = process.cpuUsage();
    const started = performance.now();
    await createDigestRunner(dependencies).finish();
    const collected = performance.now();
    while (slack.calls.length < count) {
      await delivery.deliver.finish();
      if (performance.now() - collected > 120_000) break;
    }
    const posted = performance.now();
    const { user, system } = process.cpuUsage(cpuBefore);
    const { length: late } = await db
      .selectFrom('digest')
      .select('id')
      .where('next_run_at', '<=', dueAt)
      .execute();
    const figures = {
      count,
      late,
      serviceCalls,
      slackCalls: slack.calls.length,
      collectMs: collected - started,
      postMs: posted - collected,
      cpuMs: (user + system) / 1000,
    };
    await slack.close();
    return figures;
  }

  return {
    run,
    async close() {
      await transport.dispatcher.close();
      await service.close();
      await close();
    },
  };
}
