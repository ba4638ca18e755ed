import { randomUUID } from 'node:crypto';
import { addDays } from 'date-fns/addDays';
import { subDays } from 'date-fns/subDays';
import { inject, onTestFinished } from 'vitest';
import { people } from '../../../playground/people.ts';
import type { ReferenceServiceOptions } from '../../../playground/service/start-service.ts';
import type { Message } from '../../../playground/slack/protocol.ts';
import { serveAll } from '../../../src/database/served-teams.ts';
import type { BaselineSample } from '../../../src/features/compliance/policy-sample.ts';
import { readPolicySamples } from '../../../src/features/compliance/read-compliance.ts';
import { registerCompliance } from '../../../src/features/compliance/register.ts';
import { createComplianceSampler } from '../../../src/features/compliance/sample-compliance.ts';
import { createComplianceHistory } from '../../../src/features/compliance/store/compliance-history.ts';
import { createComplianceSamples } from '../../../src/features/compliance/store/compliance-samples.ts';
import { registerHelp } from '../../../src/features/help/register.ts';
import { createPolicyCatalog } from '../../../src/features/policies/store/policy-catalog.ts';
import { createLogger } from '../../../src/logger.ts';
import { openReference } from '../../dataprotection/reference-service.ts';
import { listen } from '../../slack/interactions/listening.ts';
import { openFromTemplate } from '../../support/database-template.ts';

const teamId = 'T0HARBOR01';
/** A Sunday, at noon in Lisbon, where Ana is. */
export const sunday = new Date('2026-11-22T12:00:00Z');

/** `/belay compliance` on a service, with a database for what was read on earlier days. */
export async function startCompliance(
  options: Pick<ReferenceServiceOptions, 'dialect' | 'listsPolicies' | 'without'> = {},
) {
  const stage = await listen();
  const { db, close } = await openFromTemplate(inject('databaseTemplate'));
  onTestFinished(close);
  const reference = await openReference({ ...options, now: sunday });
  const { client, portal, service } = reference;
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
      saved_at: sunday,
    })
    .execute();
  const openService = async () => ({
    connectionId,
    originId: connectionId,
    organizationalUnitId: undefined,
    tokenOwner: undefined,
    client,
  });
  const catalog = createPolicyCatalog(db);
  const listKnownPolicies = catalog.list;
  stage.provide({ openService });
  const dependencies = {
    history: createComplianceHistory(db),
    listKnownPolicies,
    clock: () => sunday,
  };
  registerHelp(stage.listeners, registerCompliance(stage.listeners, dependencies));
  const samples = createComplianceSamples(db, serveAll);
  const policies = service.policies(portal.id);
  const now = await readPolicySamples(client, AbortSignal.timeout(5000), async () => []);
  const ana = stage.person(people.ana);

  return {
    service,
    ana,
    /** What the service says now, with the noncompliant volumes that `change` makes of it. */
    readings: (change: (name: string, count: number) => number): BaselineSample[] =>
      (now?.readings ?? []).map(({ policy, statistics }) => {
        const { nonCompliantCount: count } = statistics;
        const changed = count === undefined ? undefined : change(policy.name, count);
        return { policy, statistics: { ...statistics, nonCompliantCount: changed } };
      }),
    idOf: (name: string) => policies.find((policy) => policy.name === name)?.id ?? '',
    /** Adds a policy to those that Belay knows. */
    remember: (name: string) =>
      catalog.remember({
        policies: [{ id: policies.find((policy) => policy.name === name)?.id ?? '', name }],
        teamId,
        connectionId,
        source: 'alert',
        at: sunday,
      }),
    /** Reads and stores what is due that many days ago. */
    sample: (daysAgo: number) =>
      createComplianceSampler({
        samples,
        openService,
        listKnownPolicies,
        clock: () => subDays(sunday, daysAgo),
        log: createLogger('silent'),
      }).finish(),
    setNoncompliant: (name: string, count: number) => {
      const id = policies.find((policy) => policy.name === name)?.id ?? '';
      service.setCompliance(portal.id, id, { compliant_count: 90, non_compliant_count: count });
    },
    /** Stores what was read that many days ago. */
    async read(daysAgo: number, readings: BaselineSample[]): Promise<void> {
      const at = subDays(sunday, daysAgo);
      await samples.save({ teamId, connectionId }, { at, nextAt: addDays(at, 1), readings });
    },
    /** The answer to the command, once it contains the text. */
    async ask(command: string, text: string): Promise<Message> {
      await ana.send('ops', command);
      return ana.seeMessage(text);
    },
  };
}
