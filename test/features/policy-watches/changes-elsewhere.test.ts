import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import { serveAll } from '../../../src/database/served-teams.ts';
import { observePolicies } from '../../../src/features/policy-watches/observe-policies.ts';
import { createPolicyWatchStore } from '../../../src/features/policy-watches/store/policy-watch-store.ts';
import { createLogger } from '../../../src/logger.ts';
import { enqueueMessages } from '../../../src/outbox/index.ts';
import { messagesOf, seeAgain } from '../../support/ask.ts';
import { sample } from '../../support/sampling.ts';
import { shareWorld } from '../../support/world.ts';
import { stageChanges, withRetention } from '../policies/change-stage.ts';

const dialects = sample(['documented', 'live'] as const, 1, 4);

describe.each(dialects)('policies of the %s dialect', (dialect) => {
  const stage = stageChanges({ dialect });
  const { world, db } = stage;
  /** Reads the policies as if it were due again. */
  async function observe() {
    const logged: string[] = [];
    await db()
      .updateTable('policy_observation')
      .set({ next_at: new Date(0) })
      .execute();
    await stage.withService((service) =>
      observePolicies({
        policyWatches: createPolicyWatchStore(db(), { enqueueMessages, isServed: serveAll }),
        openService: async () => service,
        ...{ clock: systemClock, newId: () => randomUUID() },
        log: createLogger('warn', { write: (line) => void logged.push(line) }),
      }),
    );
    expect(logged).toEqual([]);
  }

  const posted = (text: string) =>
    messagesOf(world().ana).filter((message) => message.text.includes(text));
  const idOf = (name: string) => {
    const { service, portal } = world();
    return service.policies(portal.id).find((policy) => policy.name === name)?.id ?? '';
  };

  async function watch() {
    const { ana } = world();
    await ana.send('ops', '/belay watch policies off');
    await ana.seeMessage(/no longer watches policies|doesn't watch policies/);
    await ana.send('ops', '/belay watch policies');
    await ana.seeMessage('Watching policies in this channel.');
    await observe();
  }

  test('a change made elsewhere is posted once, weaker first, with what it does', async () => {
    const { ana, service, portal } = world();
    await watch();
    const [bronze, silver] = [idOf('Bronze'), idOf('Silver')];
    service.changePolicy(portal.id, bronze, { name: 'Bronze age' });
    service.changePolicy(portal.id, silver, { sla_sets: [] });
    await observe();
    const weaker = await ana.seeMessage('Policy changed outside Belay: Silver');
    expect(weaker.text).toContain('🔻 *This change weakens protection.*');
    expect(weaker.text).toContain('SLA set removed');
    const neutral = await ana.seeMessage('Policy changed outside Belay: Bronze age');
    expect(Number(weaker.messageTs)).toBeLessThan(Number(neutral.messageTs));
    await observe();
    expect(posted('outside Belay:')).toHaveLength(2);
    await ana.press(neutral, 'View policy');
    await ana.seeMessage('Policy Bronze age');
  });

  test('a change that Belay made is not, but another one after it is', async () => {
    const { ana, ben, service, portal } = world();
    await watch();
    const before = await stage.readNamed('Gold');
    const after = withRetention(before, 365, dialect === 'live' ? 'days' : 'day');
    await stage.submit(ana, { kind: 'replace', policyId: before.id, before, after });
    const request = await stage.newest(ana);
    await ben.press(request, 'Approve');
    await seeAgain(ana, request, 'Policy *Gold* was changed.');
    await observe();
    expect(posted('outside Belay:')).toHaveLength(0);
    service.changePolicy(portal.id, before.id, { name: 'Gold plus' });
    await observe();
    const message = await ana.seeMessage('Policy changed outside Belay: Gold plus');
    expect(message.text).toContain('Name: Gold → Gold plus');
    expect(message.text).not.toContain('365');
  });

  test('text that is not well-formed hides no change', async () => {
    const { ana, service, portal } = world();
    await watch();
    const [bronze, silver] = [idOf('Bronze'), idOf('Silver')];
    service.changePolicy(portal.id, bronze, { name: 'Bronze \ud800\0' });
    await observe();
    await ana.seeMessage('Policy changed outside Belay: Bronze');
    service.changePolicy(portal.id, bronze, { name: 'Bronze \ud801' });
    service.changePolicy(portal.id, silver, { name: 'Silver plus' });
    await observe();
    await ana.seeMessage('Policy changed outside Belay: Silver plus');
    await expect.poll(() => posted('outside Belay:')).toHaveLength(3);
  });

  test('a policy counts as deleted once two lists in a row lack it', async () => {
    const { ana, service, portal } = world();
    await watch();
    service.removePolicy(portal.id, idOf('Sandbox'));
    await observe();
    expect(posted('outside Belay:')).toHaveLength(0);
    await observe();
    const message = await ana.seeMessage('Policy deleted outside Belay: Sandbox');
    expect(message.text).toContain('weakens protection');
    await observe();
    expect(posted('outside Belay:')).toHaveLength(1);
  });

  test('nothing is posted after the watch ended, nor later what changed meanwhile', async () => {
    const { ana, ben, service, portal } = world();
    await watch();
    await ana.send('ops', '/belay watch policies');
    await ana.seeMessage('This channel already watches policies.');
    await ana.send('ops', '/belay watch policies off');
    await ana.seeMessage('This channel no longer watches policies.');
    service.changePolicy(portal.id, idOf('Gold'), { name: 'Gold plus' });
    await observe();
    await ben.send('ops', '/belay watch policies');
    await ben.seeMessage('Watching policies in this channel.');
    await observe();
    await observe();
    await ana.send('ops', '/belay watch policies off');
    await ana.seeMessage('Only the creator of a watch, approvers and admins can end it.');
    await ben.send('ops', '/belay watch policies off');
    await ben.seeMessage('This channel no longer watches policies.');
    expect(posted('outside Belay:')).toHaveLength(0);
  });
});

describe('a service that lists no policies', () => {
  const world = shareWorld({ service: { listsPolicies: false } });

  test("can't be watched, and says why", async () => {
    const { ana } = world();
    await ana.send('ops', '/belay watch policies');
    await ana.seeMessage("This service doesn't list its policies, so Belay can't watch them.");
  });
});
