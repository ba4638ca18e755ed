import { describe, expect, test } from 'vitest';
import { seeAgain } from '../../support/ask.ts';
import { sample } from '../../support/sampling.ts';
import { rowsOf, textsOf } from '../message-parts.ts';
import { stageChanges, withRetention } from './change-stage.ts';

describe.each(sample(['documented', 'live'] as const, 1, 3))(
  'the history in the %s dialect',
  (dialect) => {
    const stage = stageChanges({ dialect });

    test('says who requested, approved and made a change, to everybody', async () => {
      const { ana, ben } = stage.world();
      const before = await stage.readNamed('Gold');
      const after = withRetention(before, 365, dialect === 'live' ? 'days' : 'day');
      await stage.submit(ana, { kind: 'replace', policyId: before.id, before, after });
      const request = await stage.newest(ana);
      await ben.press(request, 'Approve');
      await seeAgain(ana, request, 'Policy *Gold* was changed.');

      await ana.send('ops', '/belay policy gold');
      await ana.press(await ana.seeMessage(/"Gold\n/), 'History');
      const history = await ana.seeMessage('History of Gold');
      const texts = textsOf(history.blocks).map((text) => text.replace(/^.*> · /, ''));
      const [, ...entries] = texts.slice(0, -1);
      expect(entries.slice(-4)).toEqual([
        expect.stringMatching(/^Belay \*changed\* policy Gold/),
        expect.stringMatching(/^Belay \*started changing\* policy Gold/),
        expect.stringMatching(/^<@U0BEN00002> \*approved\* the request to change policy Gold/),
        expect.stringMatching(/^<@U0ANA00001> \*requested approval\* to change policy Gold/),
      ]);
      expect(entries.at(-1)).toMatch(
        /This change strengthens protection\.\n.*Retention: 30 days → 365/,
      );
      expect(history.text).not.toContain('Agreed on Monday');
    });

    test('names the policy of a refused request in the audit log', async () => {
      const { ana, ben } = stage.world();
      const before = await stage.readNamed('Silver');
      const after = withRetention(before, 1, dialect === 'live' ? 'days' : 'day');
      // A weaker policy needs two approvers, and only Ben is one.
      const reply = await stage.submit(ana, {
        kind: 'replace',
        policyId: before.id,
        before,
        after,
      });
      expect(reply).toContain('No request was sent');
      await ben.send('ops', '/belay audit event:refused');
      await ben.seeMessage('attempt to request approval to change policy Silver');
    });

    test('begins with the request that created the policy, which had no id yet', async () => {
      const { ana, ben } = stage.world();
      const { slaSets } = await stage.readNamed('Bronze');
      await stage.submit(ana, { kind: 'create', after: { name: 'Platinum', slaSets } });
      const request = await stage.newest(ana);
      await ben.press(request, 'Approve');
      await seeAgain(ana, request, 'Policy *Platinum* was created.');
      await ana.send('ops', '/belay policy platinum');
      await ana.press(await ana.seeMessage(/"Platinum\n/), 'History');
      const history = await ana.seeMessage('History of Platinum');
      expect(history.text).toContain('*requested approval* to create policy Platinum');
      expect(history.text).toContain('Belay *created* policy Platinum');
    });
  },
);

describe('a service that lists no policies', () => {
  const stage = stageChanges({ dialect: 'documented', listsPolicies: false });

  test('gets the policies that Belay created in its list', async () => {
    const { ana, ben } = stage.world();
    const duration = { units: 'day', value: 7 };
    const sla = { rpoFrequency: duration, retentionDuration: duration };
    const slaSet = { operation: 'vmware_vm_backup', seedSetting: 'immediate', slas: [sla] };
    await stage.submit(ana, { kind: 'create', after: { name: 'Platinum', slaSets: [slaSet] } });
    const request = await stage.newest(ana);
    await ben.press(request, 'Approve');
    await seeAgain(ana, request, 'Policy *Platinum* was created.');
    await ana.send('ops', '/belay policies');
    const list = await ana.seeMessage('Policies · 1');
    const created = stage.world().service.policies(stage.world().portal.id).at(-1);
    expect(rowsOf(list.blocks)).toEqual([
      ['Platinum', created?.id, 'No data', 'created through Belay'],
    ]);
  });
});
