import { randomUUID } from 'node:crypto';
import { inject, onTestFailed, onTestFinished } from 'vitest';
import { people } from '../../../playground/people.ts';
import type { Alert as ServiceAlert } from '../../../playground/service/resources.ts';
import type { ReferenceServiceOptions } from '../../../playground/service/start-service.ts';
import type { Message } from '../../../playground/slack/protocol.ts';
import { serveAll } from '../../../src/database/served-teams.ts';
import { createSavedFilters } from '../../../src/features/alerts/index.ts';
import { createKnownValues } from '../../../src/features/alerts/known-values.ts';
import type { PolicySample } from '../../../src/features/compliance/policy-sample.ts';
import { readPolicySamples } from '../../../src/features/compliance/read-compliance.ts';
import { createComplianceSamples } from '../../../src/features/compliance/store/compliance-samples.ts';
import type { DigestSettings } from '../../../src/features/digests/digest.ts';
import { registerDigests } from '../../../src/features/digests/register.ts';
import { createDigestRunner } from '../../../src/features/digests/run-due-digests.ts';
import { digestOutboxHandlers } from '../../../src/features/digests/store/digest-kind.ts';
import {
  createDigestStore,
  insertDigest,
} from '../../../src/features/digests/store/digest-store.ts';
import { registerHelp } from '../../../src/features/help/register.ts';
import { createPolicyCatalog } from '../../../src/features/policies/store/policy-catalog.ts';
import { createPolicyChanges } from '../../../src/features/policy-watches/store/all-changes.ts';
import { watchOutboxHandlers } from '../../../src/features/watches/store/watch-kinds.ts';
import { nextRun } from '../../../src/jobs/next-run.ts';
import { createLogger } from '../../../src/logger.ts';
import { createDelivery } from '../../../src/postings/outbox/deliver.ts';
import { enqueueMessages } from '../../../src/postings/outbox/enqueue.ts';
import { createOutboxStore } from '../../../src/postings/outbox/store/outbox-store.ts';
import type { OpenService, Service } from '../../../src/workspace/open-service.ts';
import { openReference } from '../../dataprotection/reference-service.ts';
import { listen, opsChannelId } from '../../slack/interactions/listening.ts';
import { messagesOf } from '../../support/ask.ts';
import { openFromTemplate } from '../../support/database-template.ts';
import { newDigest, sampleSettings } from './store/digest-rows.ts';

export const teamId = 'T0HARBOR01';
/** Nine o'clock on a Friday in Berlin. */
export const fridayNine = new Date('2026-03-06T08:00:00Z');
/** Slack's date tokens for these moments. */
export const thursdayText = '<!date^1772697600^{date_short_pretty} at {time}|2026-03-05 08:00 UTC>';
export const fridayText = '<!date^1772784000^{date_short_pretty} at {time}|2026-03-06 08:00 UTC>';

/** Just after the last digest: a digest shows the longest-standing of the worst alerts. */
export const firstOfPeriod = {
  raised_timestamp: '2026-03-05T08:01:00Z',
  updated_timestamp: '2026-03-05T08:01:00Z',
};

type Raised = { id: string; severity: string; name: string } & Partial<
  Pick<
    ServiceAlert,
    'status' | 'type' | 'raised_timestamp' | 'updated_timestamp' | 'cleared_timestamp'
  >
>;

/** Prints warnings and errors if the test fails. */
function createFailureLog() {
  const lines: string[] = [];
  onTestFailed(() => void process.stderr.write(lines.join('')));
  return createLogger('warn', { write: (line) => void lines.push(line) });
}

/** A Slack workspace, a service, a database and a clock for tests of digests. */
export async function startDigests(options: ReferenceServiceOptions = {}) {
  const stage = await listen();
  const { db, close } = await openFromTemplate(inject('databaseTemplate'));
  onTestFinished(close);
  const reference = await openReference({ now: fridayNine, ...options });
  let now = fridayNine;
  const clock = () => now;
  const log = createFailureLog();

  const store = createDigestStore(db, { enqueueMessages, isServed: serveAll });
  const samples = createComplianceSamples(db, serveAll);
  const catalog = createPolicyCatalog(db);
  const connectionId = randomUUID();
  await db
    .insertInto('connection')
    .values({
      id: connectionId,
      origin_id: connectionId,
      team_id: teamId,
      region_id: 'eu',
      token_sealed: 'sealed',
      saved_by: people.cleo,
      saved_at: fridayNine,
    })
    .execute();

  const { client, portal, service } = reference;
  const connected: Service = {
    connectionId,
    originId: connectionId,
    organizationalUnitId: undefined,
    tokenOwner: undefined,
    client,
  };
  const world: { service: Service | undefined; approvers: string[] } = {
    service: connected,
    approvers: [people.ben],
  };
  const openService: OpenService = async (_, which) =>
    which && 'connectionId' in which && which.connectionId !== world.service?.connectionId
      ? undefined
      : world.service;
  stage.provide({
    openService,
    settings: {
      get approvers() {
        return world.approvers;
      },
    },
  });
  const savedFilters = createSavedFilters(db);
  const dependencies = {
    store,
    samples,
    openService,
    clock,
    log,
    listKnownPolicies: catalog.list,
    policyChanges: createPolicyChanges(db),
    knownValues: createKnownValues(),
    savedFilters,
    listConnections: async () => [],
  };
  registerHelp(stage.listeners, registerDigests(stage.listeners, dependencies));

  let waitedMs = 0;
  const delivery = createDelivery({
    store: createOutboxStore(db, [watchOutboxHandlers, digestOutboxHandlers], serveAll),
    log,
    clock: () => new Date(now.getTime() + waitedMs),
    clients: stage.clients,
  });
  /** Delivers queued messages, and advances the clock for retries. */
  async function sendAll() {
    for (let tries = 0; tries < 5; tries += 1) {
      await delivery.deliver.finish();
      const waiting = db.selectFrom('delivery_message').select('id').where('state', '=', 'queued');
      if (!(await waiting.executeTakeFirst())) return;
      waitedMs += 60_000;
    }
  }
  const ana = stage.person(people.ana);

  return {
    ...reference,
    db,
    store,
    savedFilters,
    samples,
    slack: stage.slack,
    world,
    connected,
    dependencies,
    openContext: stage.openContext,
    ana,
    ben: stage.person(people.ben),
    cleo: stage.person(people.cleo),
    post: stage.post,
    client: stage.client,
    /** Invites Belay to #ops, or removes it from there. */
    setInOps(isIn: boolean) {
      const ops = stage.workspace.channels.find(({ channelId }) => channelId === opsChannelId);
      if (!ops) throw new Error('there is no #ops');
      ops.appIsMember = isIn;
    },
    at(moment: string | Date) {
      now = new Date(moment);
    },
    look: () => createDigestRunner(dependencies).finish(),
    /** Runs due digests, as a process does every few seconds, then delivers what is queued. */
    async run(changes: Partial<typeof dependencies> = {}) {
      const tried = await createDigestRunner({ ...dependencies, ...changes }).finish();
      await sendAll();
      return tried;
    },
    /** A digest in #ops, due on Friday at 09:00. */
    async addDigest(changes: Partial<DigestSettings> = {}, createdBy: string = people.ana) {
      const settings = { ...sampleSettings, time: '09:00', ...changes };
      const dayBefore = new Date(fridayNine.getTime() - 24 * 60 * 60 * 1000 + 60_000);
      const digest = newDigest({
        teamId,
        channelId: opsChannelId,
        settings,
        createdBy,
        at: fridayNine,
        nextRunAt: nextRun(settings, dayBefore),
      });
      // As a configuration file adds one: the channel gets no notice.
      await db.transaction().execute((trx) => insertDigest(trx, digest));
      return digest;
    },
    policies: () => service.policies(portal.id),
    /** Adds all policies to those that Belay knows where the service lists none. */
    addToCatalog: () =>
      catalog.remember({
        teamId,
        connectionId,
        policies: service.policies(portal.id),
        source: 'alert',
        at: fridayNine,
      }),
    /** Stores samples as of the last digest; `then` makes them from the current ones. */
    async remember(then: (readings: PolicySample[]) => PolicySample[]) {
      const listKnown = () => catalog.list({ teamId, connectionId });
      const now = await readPolicySamples(client, AbortSignal.timeout(5000), listKnown);
      const at = new Date(fridayNine.getTime() - 25 * 60 * 60 * 1000);
      const readings = then(now?.readings ?? []);
      await samples.save({ teamId, connectionId }, { at, nextAt: at, readings });
    },
    /** An alert, raised an hour ago by default. */
    raise({ id, severity, name, ...changes }: Raised) {
      const [sample] = service.alerts(portal.id).filter(({ status }) => status === 'active');
      if (!sample) throw new Error('the service has no active alert');
      const hourAgo = new Date(fridayNine.getTime() - 60 * 60 * 1000).toISOString();
      const times = { raised_timestamp: hourAgo, updated_timestamp: hourAgo };
      service.putAlert(portal.id, {
        ...sample,
        id,
        severity,
        ...times,
        ...changes,
        primary_entity: { id: 'e-1', type: 'aws_ec2_instance', value: name },
      });
    },
    posted: (): Message[] => messagesOf(ana).filter(({ text }) => text.startsWith('Digest · ')),
    texts: () => messagesOf(ana).map(({ text }) => text),
  };
}
