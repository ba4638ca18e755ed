import { describe, expect, test } from 'vitest';
import type { Fault } from '../../../playground/service/faults/fault.ts';
import { buttonTexts, seeAgain } from '../../support/ask.ts';
import { sample } from '../../support/sampling.ts';
import { stageChanges } from './change-stage.ts';

const variants = sample(
  [
    { dialect: 'documented', listsPolicies: true },
    { dialect: 'documented', listsPolicies: false },
    { dialect: 'live', listsPolicies: true },
  ] as const,
  2,
  6,
);

describe.each(variants)('in the $dialect dialect, list: $listsPolicies', (variant) => {
  const stage = stageChanges(variant);
  const { world } = stage;
  const units = variant.dialect === 'live' ? 'days' : 'day';

  const platinum = {
    name: 'Platinum',
    slaSets: [
      {
        operation: 'aws_ebs_volume_backup',
        seedSetting: 'immediate',
        slas: [
          {
            rpoFrequency: { units, value: 1 },
            retentionDuration: { units, value: 90 },
          },
        ],
      },
    ],
  };

  const posts = () => world().service.requests.filter(({ method }) => method === 'POST');
  const stored = () => {
    const { service, portal } = world();
    return service.policies(portal.id).filter(({ name }) => name === 'Platinum');
  };

  async function request() {
    const { ana } = world();
    const reply = await stage.submit(ana, { kind: 'create', after: platinum });
    expect(reply).toContain('Request sent to');
    return stage.newest(ana);
  }

  test('a policy is created once, with its id, and what Belay could verify', async () => {
    const { ana, ben } = world();
    const message = await request();
    expect(JSON.stringify(message.blocks)).toContain('Schedule added: AWS EBS volume backup');
    await ben.press(message, 'Approve');
    const done = await seeAgain(ana, message, 'Policy *Platinum* was created.');
    const [policy] = stored();
    expect(done.text).toContain(`Policy ID: \`${policy?.id}\``);
    expect(done.text).toContain(
      variant.listsPolicies
        ? 'Verified: the service shows exactly what was approved.'
        : "Not verified: the service doesn't list policies.",
    );
    expect(buttonTexts(done)).toEqual(['View policy', 'View request body']);
    expect(posts()).toHaveLength(1);
    expect(stored()).toHaveLength(1);
    const known = await stage
      .db()
      .selectFrom('policy_catalog')
      .select(['policy_id', 'source'])
      .execute();
    expect(known).toContainEqual({ policy_id: policy?.id, source: 'created' });
  });

  test.each<[string, Fault, number]>([
    ['acts and answers nothing', { kind: 'reset', afterActing: true }, 1],
    ['fails before it acts', { kind: 'reset' }, 0],
  ])('is never sent twice if the service %s', async (_, fault, made) => {
    const { ana, ben, service } = world();
    const message = await request();
    service.setFault(fault, { method: 'POST' });
    await ben.press(message, 'Approve');
    await seeAgain(ana, message, 'Unknown outcome');
    service.setFault(undefined);
    if (variant.listsPolicies && made === 1) {
      const done = await stage.sweepUntil(ana, message, 'Policy *Platinum* was created.');
      expect(done.text).toContain(`Policy ID: \`${stored()[0]?.id}\``);
      expect(done.text).toContain('Verified');
    } else {
      const left = await stage.sweepUntil(ana, message, "Check the service's portal.");
      if (!variant.listsPolicies) expect(left.text).toContain("doesn't list policies");
    }
    expect(posts()).toHaveLength(1);
    expect(stored()).toHaveLength(made);
  });

  test('a policy that the service rejects is not created, and its words are shown', async () => {
    const { ana, ben, service } = world();
    const message = await request();
    service.setFault({ kind: 'status', status: 400 }, { method: 'POST' });
    await ben.press(message, 'Approve');
    await seeAgain(ana, message, "Couldn't create policy *Platinum*.");
    service.setFault(undefined);
    expect(stored()).toHaveLength(0);
  });

  test('another policy of the same name is a warning, where the service lists policies', async () => {
    const { ana } = world();
    await stage.submit(ana, { kind: 'create', after: { ...platinum, name: 'Gold' } });
    const shown = JSON.stringify((await stage.newest(ana)).blocks);
    const warning = '1 other policy already has this name.';
    if (variant.listsPolicies) expect(shown).toContain(warning);
    else expect(shown).not.toContain(warning);
  });

  test('hostile and huge names are shown, and refused where nothing could show or store them', async () => {
    const { ana } = world();
    const name = `<!channel> \u202e${'x'.repeat(500)}`;
    await stage.submit(ana, { kind: 'create', after: { ...platinum, name } });
    const message = await stage.newest(ana);
    expect(message.text).not.toContain('<!channel>');
    await ana.press(message, 'View request body');
    const body = await ana.seeDialog('The exact body of the change');
    expect(JSON.stringify(body.blocks)).toContain('\\\\u202e');
    await ana.close(body);
    const broken = { ...platinum, name: 'a\0b' };
    expect(await stage.submit(ana, { kind: 'create', after: broken })).toContain("can't store");
    const rounded = { ...platinum, otherFields: JSON.parse('{"limits":[9007199254740993]}') };
    expect(await stage.submit(ana, { kind: 'create', after: rounded })).toContain("can't store");
    const empty = { ...platinum, slaSets: [] };
    expect(await stage.submit(ana, { kind: 'create', after: empty })).toContain(
      'at least one schedule',
    );
  });
});
