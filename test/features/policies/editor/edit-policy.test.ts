import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { actAs } from '../../../../playground/act-as.ts';
import { dialectRules, dialects } from '../../../../src/dataprotection/dialects/dialect.ts';
import { buttonTexts } from '../../../support/ask.ts';
import { sample } from '../../../support/sampling.ts';
import { shareWorld } from '../../../support/world.ts';
import { byLabel, errorsOf, openEdit, policyNamed, setLines, textOf } from './editor-stage.ts';

describe.each(sample(dialects, 1, 5))('editing a policy of the %s dialect', (dialect) => {
  const world = shareWorld({ dialect });

  it('changes one field of one Schedule, and requests approval of that', async () => {
    const { ana } = world();
    const overview = await openEdit(world(), ana, 'Bronze');
    expect(overview).toMatchObject({ title: 'Edit policy', submit: 'Review', close: 'Close' });
    await ana.press(overview, 'Edit');
    const form = await ana.seeDialog('Operation');
    expect(form).toMatchObject({ title: 'Schedule 1 of 1', submit: 'Save schedule' });
    const label = textOf(form).includes('Retention of SLA 1') ? 'Retention of SLA 1' : 'Retention';
    await ana.submit(form, byLabel(form, { [label]: '99' }));
    await ana.submit(await ana.seeDialog('keep 99 days'), {});
    const review = await ana.seeDialog('Reason');
    expect(review).toMatchObject({ title: 'Review changes', submit: 'Request approval' });
    expect(textOf(review)).toMatch(/Retention: \d+ days → 99 days/);
    expect(textOf(review)).toContain('Nothing is changed until an approver approves the request.');
    await ana.submit(review, { reason: { input: ' ' } });
    expect(errorsOf(await ana.seeDialog('Enter a reason.'))).toEqual({ Reason: 'Enter a reason.' });
    await ana.submit(review, { reason: { input: 'Rules of 2027' } });
    await ana.seeMessage('Request sent to');
    const again = await openEdit(world(), ana, 'Bronze');
    expect(again.title).toBe('Edit policy');
    expect(buttonTexts(again)).not.toContain('Continue draft');
  });

  it('says in the review how many people have to approve a weaker policy', async () => {
    const { ana } = world();
    const overview = await openEdit(world(), ana, 'Finance reports <weekly> & quarterly');
    await ana.press(overview, 'Edit');
    const form = await ana.seeDialog('Operation');
    const label = textOf(form).includes('Retention of SLA 1') ? 'Retention of SLA 1' : 'Retention';
    await ana.submit(form, byLabel(form, { [label]: '2' }));
    await ana.submit(await ana.seeDialog('keep 2 days'), {});
    const review = await ana.seeDialog('Reason');
    expect(textOf(review)).toContain('This change weakens protection.');
    expect(textOf(review)).toContain('Nothing is changed until 2 different people approve');
    expect(textOf(review)).toContain(
      '*This request would be refused right now.*\\n2 people must approve this request, but only <@U0BEN00002> can.',
    );
    await ana.close(review);
  });

  it('says what is wrong beside the field', async () => {
    const { ana } = world();
    const overview = await openEdit(world(), ana, 'Mailboxes');
    await ana.press(overview, 'Edit');
    const form = await ana.seeDialog('Operation');
    const label = textOf(form).includes('Retention of SLA 1') ? 'Retention of SLA 1' : 'Retention';
    await ana.submit(form, byLabel(form, { [label]: '0' }));
    expect(errorsOf(await ana.seeDialog('Enter a whole number'))).toEqual({
      [label]: 'Enter a whole number from 1 to 99999.',
    });
    await ana.press(form, 'Type other values');
    const typed = await ana.seeDialog("Belay can't check the values you type here");
    await ana.submit(typed, byLabel(typed, { Operation: 'quantum_backup', [label]: '40' }));
    await ana.seeDialog('quantum_backup');
  });

  it('refuses a policy that it could not send unchanged, before anything is typed', async () => {
    const { ana, service, portal } = world();
    const { id } = policyNamed(world(), 'Sandbox');
    const name = 'Sandbox \ud800';
    service.changePolicy(portal.id, id, { name });
    const refused = await openEdit(world(), ana, name);
    expect(textOf(refused)).toContain("numbers that Belay can't store unchanged.");
    service.changePolicy(portal.id, id, { name: 'Sandbox' });
  });

  it('moves, removes and adds schedules, and keeps the name that was typed', async () => {
    const { ana } = world();
    const opened = await openEdit(world(), ana, 'Gold');
    const [one = '', two = '', three = ''] = setLines(opened);
    await ana.press(opened, 'Move down', byLabel(opened, { Name: 'Gold 2' }));
    const moved = await ana.see(
      ({ views: [view] }) => (view && setLines(view)[0] === two ? view : undefined),
      'the moved set',
    );
    expect(setLines(moved)).toEqual([two, one, three]);
    await ana.press(moved, 'Remove: Schedule 2 (AWS EBS volume backup)');
    const removed = await ana.see(({ views: [view] }) =>
      view && setLines(view).length === 2 ? view : undefined,
    );
    expect(setLines(removed)).toEqual([two, three]);
    await ana.press(removed, 'Daily, keep 90 days');
    const form = await ana.seeDialog('Operation');
    expect(form.title).toBe('Schedule 3 of 3');
    await ana.submit(form, byLabel(form, { Operation: 'aws_rds_resource_granular_backup' }));
    const added = await ana.seeDialog('AWS RDS granular backup: every day · keep 90 days');
    expect(setLines(added)).toHaveLength(3);
    await ana.submit(added, {});
    const review = await ana.seeDialog('Reason');
    expect(textOf(review)).toContain('Name: Gold → Gold 2');
    expect(textOf(review)).toMatch(/Schedule removed|Operation/);
    await ana.press(review, 'Back');
    expect(setLines(await ana.seeDialog('Add a schedule'))).toEqual(setLines(added));
  });

  it('continues a draft, or starts over', async () => {
    const { ana, ben } = world();
    const opened = await openEdit(world(), ana, 'Silver');
    const before = setLines(opened);
    await ana.press(opened, 'Remove', byLabel(opened, { Name: 'Silver 2' }));
    await ana.seeDialog('Schedules (1)');
    await ana.close(await ana.seeDialog('Schedules (1)'));

    const choice = await openEdit(world(), ana, 'Silver');
    expect(textOf(choice)).toContain('You have a draft of *Silver*');
    expect(buttonTexts(choice)).toEqual(['Continue draft', 'Start over']);
    await ana.press(choice, 'Continue draft');
    const continued = await ana.seeDialog('Schedules (1)');
    expect(textOf(continued)).toContain('"initial_value":"Silver 2"');
    await ana.close(continued);

    await ana.press(await openEdit(world(), ana, 'Silver'), 'Start over');
    const fresh = await ana.seeDialog(`Schedules (${before.length})`);
    expect(setLines(fresh)).toEqual(before);
    expect(textOf(fresh)).toContain('"initial_value":"Silver"');
    // Drafts belong to one person.
    expect(setLines(await openEdit(world(), ben, 'Silver'))).toEqual(before);
  });

  it('saves a page only if it saw the last revision', async () => {
    const { ana, slack } = world();
    const here = await openEdit(world(), ana, 'Legal hold');
    const elsewhere = actAs(slack, ana.slackUserId, 'second window');
    await elsewhere.press(await openEdit(world(), elsewhere, 'Legal hold'), 'Continue draft');
    await elsewhere.press(await elsewhere.seeDialog('Schedules (2)'), 'Remove');
    const now = setLines(await elsewhere.seeDialog('Schedules (1)'));

    const refused = "Your last change wasn't saved";
    await ana.press(here, 'Move down', byLabel(here, { Name: 'Overwritten' }));
    const shown = await ana.seeDialog(refused);
    expect(setLines(shown)).toEqual(now);
    expect(textOf(shown)).not.toContain('Overwritten');

    await ana.press(shown, 'Edit');
    const form = await ana.seeDialog('Operation');
    await elsewhere.press(await elsewhere.seeDialog('Schedules (1)'), 'Remove');
    await elsewhere.seeDialog('Schedules (0)');
    await ana.submit(form, byLabel(form, { Operation: 'vmware_vm_backup' }));
    expect(setLines(await ana.seeDialog(refused))).toEqual([]);
  });

  it('refuses a name that another policy has, and names that nobody could check', async () => {
    const { ana } = world();
    const overview = await openEdit(world(), ana, 'Build machines');
    for (const [name, error] of [
      ['  gOLD ', 'Another policy already has this name. Choose a different name.'],
      ['x'.repeat(500), 'Use at most 255 characters. This name has 500.'],
      ['Gold\u202e', 'Remove the invisible character ⟨U+202E⟩.'],
    ] as const) {
      await ana.submit(overview, byLabel(overview, { Name: name }));
      expect(errorsOf(await ana.seeDialog(error))).toEqual({ Name: error });
    }
    await ana.submit(overview, byLabel(overview, { Name: '<!channel> مرحبا' }));
    const review = await ana.seeDialog('Reason');
    expect(textOf(review)).toContain('&lt;!channel&gt; مرحبا');
  });

  it('has nothing to review without a change, and needs an Schedule', async () => {
    const { ana } = world();
    await ana.submit(await openEdit(world(), ana, 'Sandbox'), {});
    const unchanged = await ana.seeDialog('Nothing to review');
    await ana.press(unchanged, 'Remove');
    await ana.press(await ana.seeDialog('Schedules (1)'), 'Remove');
    await ana.submit(await ana.seeDialog('Schedules (0)'), {});
    await ana.seeDialog('Add at least one schedule.');
  });

  it('says at the review that the policy was changed meanwhile', async () => {
    const { ana, service, portal } = world();
    const opened = await openEdit(world(), ana, 'Finance archive (7 years)');
    const policy = policyNamed(world(), 'Finance archive (7 years)');
    await ana.press(opened, 'Daily, keep 90 days');
    const form = await ana.seeDialog('Operation');
    await ana.submit(form, byLabel(form, { Operation: 'vmware_vm_backup' }));
    service.changePolicy(portal.id, policy.id, { name: 'Archive by the portal' });
    await ana.submit(await ana.seeDialog('Schedules (2)'), {});
    const changed = await ana.seeDialog('was changed after you started editing');
    expect(textOf(changed)).toContain('Name: Finance archive (7 years) → Archive by the portal');
    await ana.press(changed, 'Start over');
    expect(textOf(await ana.seeDialog('Schedules (1)'))).toContain('Archive by the portal');
  });

  it('says at the review that the policy was deleted meanwhile', async () => {
    const { ana, service, portal } = world();
    const opened = await openEdit(world(), ana, 'Finance ledgers');
    service.removePolicy(portal.id, policyNamed(world(), 'Finance ledgers').id);
    await ana.submit(opened, byLabel(opened, { Name: 'Ledgers' }));
    const gone = await ana.seeDialog('no longer exists');
    await ana.press(gone, 'Start over');
    await ana.seeDialog('The policy with the ID');
  });

  it('keeps a draft when the service fails at the review', async () => {
    const { ana, service } = world();
    const opened = await openEdit(world(), ana, 'Virtual machines, nightly');
    service.setFault({ kind: 'status', status: 500 });
    await ana.submit(opened, byLabel(opened, { Name: 'VMs' }));
    const failed = await ana.seeDialog('server error');
    expect(Object.values(failed.errors).join()).toContain('Nothing was changed.');
    await ana.close(failed);
    service.setFault(undefined);
    await ana.press(await openEdit(world(), ana, 'Virtual machines, nightly'), 'Continue draft');
    expect(textOf(await ana.seeDialog('Schedules'))).toContain('"initial_value":"VMs"');
  });

  it('refuses a policy with more than 20 schedules, and a 21st set', async () => {
    const { ana, service, portal } = world();
    const policy = policyNamed(world(), 'Databases, hourly');
    const [slaSet] = policy.sla_sets;
    if (!slaSet) throw new Error('no set');
    const put = (count: number) =>
      service.changePolicy(portal.id, policy.id, { sla_sets: Array(count).fill(slaSet) });
    put(21);
    expect(textOf(await openEdit(world(), ana, 'Databases, hourly'))).toContain(
      'more than 20 schedules',
    );
    put(20);
    const full = await openEdit(world(), ana, 'Databases, hourly');
    expect(setLines(full)).toHaveLength(20);
    expect(textOf(full)).toContain('A policy can have at most 20 schedules');
    expect(buttonTexts(full)).not.toContain('Daily, keep 90 days');
  });
});

describe('a policy whose name is not text', () => {
  const world = shareWorld({ dialect: 'documented', service: { acceptsAnyPolicy: true } });

  it('gets the name that was typed, on whichever page', async () => {
    const { ana, portal } = world();
    const slas = [
      {
        rpo_frequency: { unit: 'day', value: 1 },
        retention_duration: { unit: 'day', value: 30 },
      },
    ];
    const sets = ['vmware_vm_backup', 'aws_ebs_volume_backup'].map((operation) => ({
      operation,
      seed_setting: 'immediate',
      slas,
    }));
    const response = await fetch(`${portal.baseUrl}/policies/definitions`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${portal.token}`,
        accept: dialectRules.documented.accept('/policies/definitions'),
        'content-type': 'application/json',
      },
      body: JSON.stringify({ name: 7, sla_sets: sets }),
    });
    const { id } = z.looseObject({ id: z.string() }).parse(await response.json());
    await ana.send('ops', `/belay policy ${id}`);
    await ana.press(await ana.seeMessage('*Policy ID*'), 'Edit');
    const opened = await ana.seeDialog('Add a schedule');
    await ana.press(opened, 'Move down', byLabel(opened, { Name: 'Seven' }));
    const moved = await ana.see(({ views: [view] }) =>
      view && setLines(view)[0]?.startsWith('AWS EBS') ? view : undefined,
    );
    await ana.submit(moved, {});
    const review = textOf(await ana.seeDialog('Reason'));
    expect(review).toContain(' → Seven');
    // The service would get it instead of the name.
    expect(review).toContain('Field name removed: 7');
  });
});
