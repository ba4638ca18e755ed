import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createPlaygroundStage,
  desktopAndPhone,
  type PlaygroundStage,
  phone,
} from './playground-stage.ts';
import { become, dialog, expectNothingSideways, message, press, say, shoot } from './seen.ts';

let stage: PlaygroundStage;

beforeAll(async () => {
  stage = await createPlaygroundStage();
});

afterAll(async () => {
  expect(stage.faults).toEqual([]);
  await stage?.close();
});

/** In a menu of people or groups, which opens as a list of checkboxes. */
async function choose(form: Locator, label: string, names: string[]): Promise<void> {
  const menu = form.getByRole('group', { name: label });
  await menu.getByRole('button').click();
  for (const name of names) await menu.getByRole('checkbox', { name }).check();
  await menu.getByRole('button').first().press('Escape');
}

/** Requests the reviewed change as Cleo, and approves it as Ben. */
async function requestAndApprove(page: Page, name: string, shown: string): Promise<void> {
  const review = dialog(page, 'Review changes');
  await review.getByText('A second person must approve these changes.').waitFor();
  await review.getByText(shown).first().waitFor();
  await shoot(page, `${name}-review`);
  await review.getByRole('textbox', { name: 'Reason' }).fill('New team');
  await press(review, 'Request approval');
  await press(dialog(page, 'Setup change'), 'Close');
  await become(page, 'Ben Carter · approver');
  const request = message(page, shown);
  await request.waitFor();
  await shoot(page, `${name}-request`);
  await press(request, 'Approve');
  await press(dialog(page, 'Approve this request?'), 'Approve');
  await message(page, 'The setup was changed.').waitFor();
  await become(page, 'Cleo Brandt · workspace admin');
}

test.each(desktopAndPhone)(
  'on a %s, Cleo changes roles, a rule and protected users, and Ben approves',
  async (name, size) => {
    // Both sizes share a workspace.
    const isPhone = size === phone;
    const role = isPhone ? 'Auditors' : 'Operators';
    const action = isPhone ? 'Rename a user' : 'Delete a user';
    const email = isPhone ? 'sven.moreau@example.com' : 'joana.prado@example.com';
    const page = await stage.open('cleo', size);
    await say(page, '/belay access');
    const list = message(page, 'Protected users');
    await list.waitFor();
    await expectNothingSideways(page);
    await shoot(page, `${name}-access`);

    await press(list, 'Change roles…');
    const roles = dialog(page, 'Change roles');
    await choose(roles, `${role}: user groups`, ['Storage operations']);
    await shoot(page, `${name}-access-roles`);
    await press(roles, 'Review changes');
    await requestAndApprove(page, `${name}-access-roles`, `${role}: `);

    await say(page, '/belay access');
    const withRoles = message(page, `${role}: @storage-ops`);
    await withRoles.waitFor();
    await withRoles.getByRole('combobox', { name: 'Edit rule…' }).selectOption({
      label: action,
    });
    const rule = dialog(page, 'Edit rule');
    await rule.getByText('All of these approvals are required').waitFor();
    await choose(rule, 'Approval 1: user groups', ['Security']);
    await choose(rule, 'Approval 2: user groups', ['Storage operations']);
    await shoot(page, `${name}-access-rule`);
    await expectNothingSideways(page);
    await press(rule, 'Review changes');
    await requestAndApprove(page, `${name}-access-rule`, `Rule: ${action}`);

    await say(page, '/belay access');
    const withRule = message(page, new RegExp(`${action}\\s*Requesters: every operator`));
    await withRule.waitFor();
    await shoot(page, `${name}-access-after`);
    await press(withRule, 'Edit protected users…');
    const users = dialog(page, 'Protected users');
    await users.getByRole('textbox', { name: 'Protected addresses' }).fill(email);
    await press(users, 'Review changes');
    await requestAndApprove(page, `${name}-access-protected`, 'Protected addresses: added');

    await say(page, `/belay users ${email}`);
    const card = message(page, 'Protected user: the address');
    await card.waitFor();
    expect(await card.getByRole('button', { name: 'Delete' }).count()).toBe(0);
    await shoot(page, `${name}-access-protected-user`);
    await say(page, `/belay disable ${email}`);
    await dialog(page, 'Disable user').getByText('No request was sent.').waitFor();
    await shoot(page, `${name}-access-protected-refused`);
    await press(dialog(page, 'Disable user'), 'Close');
  },
);
