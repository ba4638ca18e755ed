import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import { serveAll } from '../../../src/database/served-teams.ts';
import { createPolicyObserver } from '../../../src/features/policy-watches/observe-policies.ts';
import { createObservationStore } from '../../../src/features/policy-watches/store/observation-store.ts';
import { createLogger } from '../../../src/logger.ts';
import { enqueueMessages } from '../../../src/postings/outbox/enqueue.ts';
import { escapeMrkdwn } from '../../../src/slack/ui/mrkdwn.ts';
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
      createPolicyObserver({
        observations: createObservationStore(db(), {
          enqueueMessages,
          isServed: serveAll,
          isReported: sql<boolean>`false`,
        }),
        policyIntervalMs: 15 * 60_000,
        openService: async () => service,
        clock: systemClock,
        log: createLogger('warn', { write: (line) => void logged.push(line) }),
      }).finish(),
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
    await db().deleteFrom('policy_watch').execute();
    await observe();
    await ana.send('ops', '/belay watch policies');
    await ana.seeMessage('Watch added. Policy changes made outside Belay are posted');
    await observe();
  }

  test('a change made elsewhere is posted once, weaker first, with what it does', async () => {
    const { ana, service, portal } = world();
    await watch();
    const [bronze, silver] = [idOf('Bronze'), idOf('Silver')];
    service.changePolicy(portal.id, bronze, { name: 'Bronze age' });
    service.changePolicy(portal.id, silver, { sla_sets: [] });
    await observe();
    const weaker = await ana.seeMessage('Policy changed outside Belay* · *Silver');
    expect(weaker.text).toContain('🔻 *This change weakens protection.*');
    expect(weaker.text).toContain('Schedule removed');
    const neutral = await ana.seeMessage('Policy changed outside Belay* · *Bronze age');
    expect(Number(weaker.messageTs)).toBeLessThan(Number(neutral.messageTs));
    await observe();
    expect(posted('outside Belay*')).toHaveLength(2);
    await ana.press(neutral, 'View policy');
    await ana.seeMessage(/"Bronze age\n/);
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
    expect(posted('outside Belay*')).toHaveLength(0);
    service.changePolicy(portal.id, before.id, { name: 'Gold plus' });
    await observe();
    const message = await ana.seeMessage('Policy changed outside Belay* · *Gold plus');
    expect(message.text).toContain('Name: Gold → Gold plus');
    expect(message.text).not.toContain('365');
    await ana.send('ops', '/belay policies changes');
    const list = await ana.seeMessage('Policy changes · last 30 days');
    expect(list.text.match(/\b365\b/g)).toHaveLength(1);
    expect(list.text).toMatch(
      /\n\*Gold\* · 🔺 \*Stronger\* · Retention: 30 days → 365 .*\nrequested by <@U0ANA00001>, approved by <@U0BEN00002> · .*\|View request>/,
    );
  });

  test('text that is not well-formed hides no change', async () => {
    const { ana, service, portal } = world();
    await watch();
    const [bronze, silver] = [idOf('Bronze'), idOf('Silver')];
    service.changePolicy(portal.id, bronze, { name: 'Bronze \ud800\0' });
    await observe();
    await ana.seeMessage('Policy changed outside Belay* · *Bronze');
    service.changePolicy(portal.id, bronze, { name: 'Bronze \ud801' });
    service.changePolicy(portal.id, silver, { name: 'Silver plus' });
    await observe();
    await ana.seeMessage('Policy changed outside Belay* · *Silver plus');
    await expect.poll(() => posted('outside Belay*')).toHaveLength(3);
  });

  test('a policy counts as deleted once two lists in a row lack it', async () => {
    const { ana, service, portal } = world();
    await watch();
    service.removePolicy(portal.id, idOf('Sandbox'));
    await observe();
    expect(posted('outside Belay*')).toHaveLength(0);
    await observe();
    const message = await ana.seeMessage('Policy deleted outside Belay* · *Sandbox');
    expect(message.text).toContain('weakens protection');
    await observe();
    expect(posted('outside Belay*')).toHaveLength(1);
  });

  test('nothing is posted after the watch ended, nor later what changed meanwhile', async () => {
    const { ana, ben, service, portal } = world();
    await watch();
    await ana.send('ops', '/belay watch policies off');
    await ana.press(await ana.seeMessage('1 watch in this channel'), 'End watch');
    await ana.seeMessage('ended a watch in this channel: policy changes made outside Belay.');
    await observe();
    service.changePolicy(portal.id, idOf('Gold'), { name: 'Gold plus' });
    await ben.send('ops', '/belay watch policies');
    await ben.seeMessage('Watch added.');
    await observe();
    await observe();
    expect(posted('outside Belay*')).toHaveLength(0);
  });

  test('many changes at once are one message, weaker first, and a list has them all', async () => {
    const { ana, service, portal } = world();
    await watch();
    const names = service.policies(portal.id).map(({ name }) => name);
    expect(names.length).toBeGreaterThan(6);
    for (const name of names) {
      const change = name === 'Silver' ? { sla_sets: [] } : { name: `${name} plus` };
      service.changePolicy(portal.id, idOf(name), change);
    }
    await observe();
    const summary = await ana.seeMessage(
      `${names.length} policy changes outside Belay · 1 weakens protection`,
    );
    const [, first, second] = summary.text.split('\n');
    expect(first).toMatch(/^• \*Silver\* · 🔻 \*Weaker\* · Schedule removed: /);
    expect(second).toMatch(
      /^• \*\S.* plus\* · ⚪ \*Neutral\* · Name: \S.* → \S.* plus \(Policy\)$/,
    );
    expect(posted('outside Belay*')).toHaveLength(0);
    await ana.send('ops', '/belay policies changes');
    const list = await ana.seeMessage('Policy changes · last 30 days');
    expect(list.text).toMatch(/\n\*Silver\* · 🔻 .*\noutside Belay · found <!date/);
    await ana.press(list, 'Next');
    const next = await ana.seeMessage('last 30 days · 11-');
    const listed = `${list.text}\n${next.text}`;
    for (const name of names) expect(listed).toContain(`*${escapeMrkdwn(name)}`);
    // The history of each policy has the same change.
    await ana.send('ops', '/belay policy silver');
    await ana.press(await ana.seeMessage(/"Silver\n/), 'History');
    const history = await ana.seeMessage('History of Silver');
    expect(history.text).toMatch(
      /\*changed\* outside Belay\n🔻 \*This change weakens protection\.\*\n/,
    );
  });
});

describe('a service that lists no policies', () => {
  const world = shareWorld({ service: { listsPolicies: false } });

  test("can't be watched, and says why", async () => {
    const { ana } = world();
    await ana.send('ops', '/belay watch policies');
    await ana.seeMessage(
      "No watch was added: this service doesn't list its policies, so Belay can't see changes to them.",
    );
  });
});
