import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { people } from '../../playground/people.ts';
import {
  createPlaygroundStage,
  desktopAndPhone,
  type PlaygroundStage,
} from './playground-stage.ts';
import { dialog, expectFitting, message, press, say } from './seen.ts';

let stage: PlaygroundStage;

beforeAll(async () => {
  stage = await createPlaygroundStage({
    dialect: 'live',
    approvers: [people.ben, people.cleo],
  });
});

afterAll(async () => {
  await stage?.close();
});

const policies: Record<string, string> = { desktop: 'Silver', phone: 'Gold' };

const verified = 'Verified: the service shows exactly what was approved.';

function retentionsOf(policy: string) {
  const { service } = stage;
  const found = service.policies(service.portals[0]?.id ?? '').find(({ name }) => name === policy);
  return found?.sla_sets.map(({ slas }) => slas.map((sla) => sla.retention_duration));
}

async function approve(page: Page, title: string | RegExp): Promise<void> {
  await press(message(page, title), 'Approve');
  await press(dialog(page, 'Approve this request?'), 'Approve');
}

test.each(desktopAndPhone)(
  'a weaker policy needs two approvers, is verified, and is reverted, on a %s',
  async (name, size) => {
    const policy = policies[name] ?? '';
    const [ana, ben, cleo] = [
      await stage.open('ana', size),
      await stage.open('ben', size),
      await stage.open('cleo', size),
    ];
    const before = retentionsOf(policy);
    const see = (page: Page, what: string) => expectFitting(page, `${name}-change-policy-${what}`);

    await say(ana, `/belay policy ${policy}`);
    await press(message(ana, 'AWS EBS volume backup'), 'Edit');
    const form = dialog(ana, 'Edit policy');
    await form.getByRole('button', { name: /^Edit: Schedule 1 / }).click();
    const set = ana.getByRole('dialog', { name: /^Schedule 1 of/ });
    await set.getByRole('textbox', { name: 'Retention' }).first().fill('3');
    await see(ana, 'set');
    await press(set, 'Save schedule');
    await form.getByText('keep 3 days').first().waitFor();
    await press(form, 'Review');
    const review = dialog(ana, 'Review changes');
    await review.getByText('This change weakens protection.').waitFor();
    await review.getByRole('textbox', { name: 'Reason' }).fill('Storage is full until March');
    await see(ana, 'review');
    await press(review, 'Request approval');

    const requested = new RegExp(`Change policy ${policy}`);
    await message(ana, requested).waitFor();
    await see(ana, 'requested');
    await approve(ben, requested);
    await message(ben, '1 of 2 approvals').waitFor();
    await see(ben, 'one-approval');
    await approve(cleo, requested);
    await message(cleo, requested).getByText(verified).waitFor();
    await see(cleo, 'verified');
    expect(retentionsOf(policy)).not.toEqual(before);

    await press(message(ana, requested), 'Revert…');
    const revert = dialog(ana, 'Revert change');
    await revert.getByText('Retention: 3 days →').waitFor();
    await revert.getByRole('textbox', { name: 'Reason' }).fill('The new storage has arrived');
    await see(ana, 'revert');
    await press(revert, 'Request approval');
    const reverted = new RegExp(`Revert a change to policy ${policy}`);
    await message(ben, reverted).waitFor();
    await see(ben, 'revert-requested');
    await approve(ben, reverted);
    await message(ben, reverted).getByText(verified).waitFor();
    await see(ben, 'reverted');
    expect(retentionsOf(policy)).toEqual(before);
    expect(stage.faults).toEqual([]);
    for (const page of [ana, ben, cleo]) await page.close();
  },
);
