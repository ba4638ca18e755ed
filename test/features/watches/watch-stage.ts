import { randomUUID } from 'node:crypto';
import { expect, inject, onTestFinished, vi } from 'vitest';
import type { Actor } from '../../../playground/act-as.ts';
import { people } from '../../../playground/people.ts';
import type { ReferenceServiceOptions } from '../../../playground/service/start-service.ts';
import type { Message } from '../../../playground/slack/protocol.ts';
import { createAppendEntry } from '../../../src/audit-log/append.ts';
import { serveAll } from '../../../src/database/served-teams.ts';
import {
  createAlertStore,
  createClearings,
  createSavedFilters,
} from '../../../src/features/alerts/index.ts';
import { createKnownValues } from '../../../src/features/alerts/known-values.ts';
import { registerAlerts } from '../../../src/features/alerts/register.ts';
import { registerDesk } from '../../../src/features/desk/register.ts';
import { digestOutboxHandlers } from '../../../src/features/digests/store/digest-kind.ts';
import { isCommandWord } from '../../../src/features/help/index.ts';
import { registerHelp } from '../../../src/features/help/register.ts';
import { createPolicyCatalog } from '../../../src/features/policies/store/policy-catalog.ts';
import { createComplianceReader } from '../../../src/features/watches/compliance/read-due-compliance.ts';
import { createHoldEnder } from '../../../src/features/watches/mutes/end-due-holds.ts';
import { createWatches } from '../../../src/features/watches/poller.ts';
import { registerWatches } from '../../../src/features/watches/register.ts';
import { createReminderSender } from '../../../src/features/watches/reminders/send-due-reminders.ts';
import { describeWatches } from '../../../src/features/watches/show-watches.ts';
import { createComplianceWatchStore } from '../../../src/features/watches/store/compliance-watch-store.ts';
import { createMuteStore } from '../../../src/features/watches/store/mute-store.ts';
import { createPolicyWatchStore } from '../../../src/features/watches/store/policy-watch-store.ts';
import { createPollStore } from '../../../src/features/watches/store/poll-store.ts';
import { createReminderStore } from '../../../src/features/watches/store/reminder-store.ts';
import { watchOutboxHandlers } from '../../../src/features/watches/store/watch-kinds.ts';
import { createWatchStore } from '../../../src/features/watches/store/watch-store.ts';
import { createDueStateUpdater } from '../../../src/features/watches/update-due-states.ts';
import { createPostedAlertUpdater } from '../../../src/features/watches/update-posted-alerts.ts';
import { watchSummaryButton } from '../../../src/features/watches/views/watch-list-message.ts';
import { createLogger } from '../../../src/logger.ts';
import { createDelivery } from '../../../src/postings/outbox/deliver.ts';
import { enqueueMessages } from '../../../src/postings/outbox/enqueue.ts';
import { createOutboxStore } from '../../../src/postings/outbox/store/outbox-store.ts';
import { readPerson } from '../../../src/slack/api/person.ts';
import { message } from '../../../src/slack/ui/blocks.ts';
import type { Service } from '../../../src/workspace/open-service.ts';
import { openReference } from '../../dataprotection/reference-service.ts';
import { logKeys } from '../../requests/store/rows.ts';
import { listen } from '../../slack/interactions/listening.ts';
import { messagesOf, seeAgain } from '../../support/ask.ts';
import { openFromTemplate } from '../../support/database-template.ts';
import { patienceMs } from '../../support/patience.ts';
import { serviceAlert, startedAt } from './poll-stage.ts';

export const teamId = 'T0HARBOR01';

/** `/belay watch` in a local Slack, with a service, a database, a delivery and a clock behind it. */
export async function startWatches(
  options: Pick<ReferenceServiceOptions, 'dialect' | 'listsPolicies'> = {},
) {
  const stage = await listen();
  const { db, close } = await openFromTemplate(inject('databaseTemplate'));
  onTestFinished(close);
  const { service, portal, client } = await openReference({ ...options, now: startedAt });
  let now = startedAt;
  const clock = () => now;
  const log = createLogger('fatal');

  const connectionId = randomUUID();
  const connection = { id: connectionId, team_id: teamId, region_id: 'eu', token_sealed: 'sealed' };
  await db
    .insertInto('connection')
    .values({
      ...connection,
      origin_id: connectionId,
      saved_by: people.cleo,
      saved_at: startedAt,
    })
    .execute();
  const connected: Service = {
    connectionId,
    originId: connectionId,
    organizationalUnitId: undefined,
    tokenOwner: undefined,
    client,
  };
  const world: { service: Service | undefined } = { service: connected };
  const openService = async () => world.service;

  const store = createWatchStore(db, { enqueueMessages, isServed: serveAll });
  const append = createAppendEntry(logKeys);
  const mutes = createMuteStore(db, { enqueueMessages, append, isServed: serveAll });
  const complianceWatches = createComplianceWatchStore(db, { enqueueMessages, isServed: serveAll });
  const policyWatches = createPolicyWatchStore(db, { enqueueMessages });
  const policyCatalog = createPolicyCatalog(db);
  const polls = createPollStore(db, {
    enqueueMessages,
    append,
    isServed: serveAll,
  });
  const postedAlerts = createPostedAlertUpdater({ store: polls, clock, log });
  const clearings = createClearings(db, {
    append,
    enqueueMessages,
    isServed: serveAll,
  });
  const approvers: string[] = [people.ben];
  const settings = { approvers, maxAlertsCleared: 100 };
  stage.provide({ openService, settings });
  const knownValues = createKnownValues();
  const savedFilters = createSavedFilters(db);
  const alerts = {
    store: createAlertStore(db, { append, appendRefusal: append }),
    savedFilters,
    clearings,
    knownValues,
    isCommandWord,
    access: { readPerson },
    reportAlert: postedAlerts.update,
    changeState: polls.changeState,
    showState: polls.showState,
    clock,
  };
  const context = {
    alerts,
    store,
    complianceWatches,
    mutes,
    policyWatches,
    policyIntervalMs: 15 * 60_000,
    listKnownPolicies: policyCatalog.list,
    readPolicyOutage: async () => undefined,
    clock,
  };
  registerHelp(stage.listeners, [
    ...registerWatches(stage.listeners, context),
    ...registerDesk(stage.listeners, context),
    ...registerAlerts(stage.listeners, alerts),
  ]);
  const watches = createWatches({
    store: polls,
    watchStore: store,
    openService,
    clock,
    log,
  });
  const delivery = createDelivery({
    store: createOutboxStore(db, [watchOutboxHandlers, digestOutboxHandlers], serveAll),
    clock,
    log,
    clients: stage.clients,
    summaryButton: watchSummaryButton,
  });
  const holds = createHoldEnder({ mutes, clock, log });
  const deliver = async () => {
    await postedAlerts.settled();
    now = new Date(now.getTime() + 2000);
    await delivery.deliver.finish();
  };

  /** Delivers edits until the message says this. */
  async function seeEdited(person: Actor, before: Message, text: string): Promise<Message> {
    await vi.waitFor(async () => {
      await deliver();
      const now = messagesOf(person).find(({ messageTs }) => messageTs === before.messageTs);
      expect(now?.text).toContain(text);
    }, patienceMs);
    return seeAgain(person, before, text);
  }

  const reminders = createReminderStore(db, { enqueueMessages, isServed: serveAll });
  const createSender = () => createReminderSender({ reminders, openService, clock, log });

  const createUpdater = () => createDueStateUpdater({ store: polls, openService, clock, log });
  return {
    slack: stage.slack,
    seeEdited,
    /** Messages that Belay queues, such as after a form is closed. */
    seeQueued: (text: string, count = 1) =>
      vi.waitFor(async () => {
        await deliver();
        const posted = messagesOf(stage.person(people.ana));
        const found = posted.filter((one) => one.text.includes(text));
        expect(found.length).toBeGreaterThanOrEqual(count);
      }, patienceMs),
    savedFilters,
    clients: stage.clients,
    db,
    clearings,
    settings,
    approvers,
    postedAlerts,
    /** Invites Belay to #ops, or removes it from there. */
    setInOps(isIn: boolean) {
      const ops = stage.workspace.channels.find(({ name }) => name === 'ops');
      if (!ops) throw new Error('there is no #ops');
      ops.appIsMember = isIn;
    },
    portal,
    store,
    mutes,
    /** Ends mutes and quiet hours that are due, and delivers their summaries. */
    async endHolds() {
      await holds.finish();
      await deliver();
    },
    advance(ms: number) {
      now = new Date(now.getTime() + ms);
    },
    /** Sends the reminders that are due after this time, in two processes at once, and delivers them. */
    async remindAfter(ms: number) {
      now = new Date(now.getTime() + ms);
      await Promise.all([1, 2].map(() => createSender().finish()));
      await deliver();
      await deliver();
    },
    /** The events of the audit log, oldest first. */
    logged: async () =>
      (await db.selectFrom('audit_log').select('event').orderBy('seq').execute()).map(
        ({ event }) => event,
      ),
    changeState: polls.changeState,
    showState: polls.showState,
    /** Ends snoozes and shows states that are due then, in two processes at once, and delivers what that queued. */
    async updateStates(at: Date) {
      now = at;
      await Promise.all([1, 2].map(() => createUpdater().finish()));
      await deliver();
      await deliver();
    },
    knownValues,
    service,
    world,
    deliver,
    tick(ms: number) {
      now = new Date(now.getTime() + ms);
    },
    ana: stage.person(people.ana),
    ben: stage.person(people.ben),
    cleo: stage.person(people.cleo),
    gus: stage.person(people.gus),
    raise: (alertId: string, changes: Parameters<typeof serviceAlert>[2] = {}) =>
      service.putAlert(portal.id, serviceAlert(alertId, now, changes)),
    policies: () => service.policies(portal.id),
    setCompliance: (policyId: string, statistics: Parameters<typeof service.setCompliance>[2]) =>
      service.setCompliance(portal.id, policyId, statistics),
    complianceWatches,
    policyWatches,
    policyCatalog,
    connectionId,
    openService,
    clock,
    /** The line about #ops in the overview. */
    describe: async () =>
      message([await describeWatches({ teamId, channelId: 'C0OPS00001' }, context)]).text,
    /** Reads the watched policies, an hour later, and delivers what that queued. */
    async readCompliance() {
      now = new Date(now.getTime() + 60 * 60_000);
      const dependencies = { complianceWatches, openService, clock, log };
      await Promise.all([1, 2].map(() => createComplianceReader(dependencies).finish()));
      await deliver();
    },
    /** One round of the poller and of the delivery. */
    async poll() {
      now = new Date(now.getTime() + 60_000);
      await watches.poll.finish();
      await deliver();
    },
    said: () => messagesOf(stage.person(people.ana)).map(({ text }) => text),
    watchesOfOps: () => store.list({ teamId, channelId: 'C0OPS00001' }),
  };
}
