import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPlaygroundStage, type PlaygroundStage, phone } from './playground-stage.ts';
import { become, dialog, goTo, message, press, say, shoot } from './seen.ts';

let stage: PlaygroundStage;

beforeAll(async () => {
  stage = await createPlaygroundStage({ dialect: 'live' });
});

afterAll(async () => {
  await stage?.close();
});

test('Cleo sees an error beside the token field, and saves a valid token', async () => {
  const page = await stage.open('cleo');
  const [portal] = stage.service.portals;
  await say(page, '/belay setup');
  const settings = dialog(page, 'Set up Belay');
  await settings.getByText('Approvals channel').waitFor();
  await shoot(page, 'setup');
  await settings.getByRole('button', { name: 'Edit: Connection', exact: true }).click();
  const form = dialog(page, 'Edit connection');
  const token = form.getByRole('textbox', { name: 'API token' });
  expect(await token.inputValue()).toBe('');
  await token.fill('not-a-token');
  await shoot(page, 'setup-connection');
  await press(form, 'Save');
  await form.getByText('wrong, expired, or from another portal').first().waitFor();
  for (const field of [token, form.getByRole('combobox', { name: 'Region' })]) {
    expect(await describedBy(page, field)).toContain('wrong, expired, or from another portal');
  }
  await shoot(page, 'setup-wrong-token');

  await token.fill(portal?.token ?? '');
  await press(form, 'Save');
  const saved = dialog(page, 'Belay is set up');
  await saved.getByText('@Ben Carter').waitFor();
  expect(await page.getByText(portal?.token ?? '').count()).toBe(0);
  await shoot(page, 'setup-saved');

  await saved.getByRole('button', { name: 'Edit: Connection', exact: true }).click();
  const unit = form.getByRole('combobox', { name: 'Organizational unit' });
  await unit.selectOption({ label: 'Finance' });
  await shoot(page, 'setup-choose-unit');
  await press(form, 'Save');
  const review = dialog(page, 'Review changes');
  await review.getByText("Organizational unit: the token's own → Finance").waitFor();
  await press(review, 'Cancel');

  await say(page, '/belay setup');
  await settings.getByRole('button', { name: 'Change: Approvers', exact: true }).click();
  const approvers = settings.getByRole('group', { name: 'Approvers' });
  await approvers.getByRole('button').click();
  await approvers.getByRole('checkbox', { name: 'Cleo Brandt' }).check();
  await shoot(page, 'setup-approvers');
  await press(settings, 'Save');
  await requestApproval(page, 'setup-review');
  await become(page, 'Ben Carter · approver');
  const request = message(page, /Change the Belay setup/);
  await request.getByText('@Ben Carter → @Ben Carter, @Cleo Brandt').waitFor();
  await shoot(page, 'setup-request');
  await press(request, 'Approve');
  await press(dialog(page, 'Approve this request?'), 'Approve');
  await message(page, 'The setup was changed.').waitFor();
  await shoot(page, 'setup-approved');
  await goTo(page, 'Belay');
  await message(page, "changed Belay's setup").waitFor();
  await shoot(page, 'setup-announced');
});

async function requestApproval(page: Page, picture: string): Promise<void> {
  const review = dialog(page, 'Review changes');
  await review.getByText('A second person must approve these changes.').waitFor();
  await review.getByRole('textbox', { name: 'Reason' }).fill('Agreed in the weekly meeting');
  await shoot(page, picture);
  await press(review, 'Request approval');
  const requested = dialog(page, 'Setup change');
  await requested.getByText('Request sent to').waitFor();
  await press(requested, 'Close');
}

test('Cleo sets a limit and the token owner on a phone', async () => {
  const page = await stage.open('cleo', phone);
  await say(page, '/belay setup');
  const form = dialog(page, 'Set up Belay');
  await form.getByText('Approvals channel').waitFor();
  await shoot(page, 'phone-setup');
  await form.getByRole('button', { name: 'Change: Users per hour', exact: true }).click();
  await form.getByRole('textbox', { name: 'Users per hour' }).fill('0');
  await press(form, 'Save');
  await form.getByText('Enter a whole number from 1 to 1000.').waitFor();
  await shoot(page, 'phone-setup-limits');
  await press(form, 'Cancel');
  await say(page, '/belay setup');
  await form.getByRole('button', { name: 'Change: Token owner', exact: true }).click();
  const owner = form.getByRole('textbox', { name: 'Token owner' });
  await owner.fill('rosa.castro@example.com');
  expect(await describedBy(page, owner)).toContain('never disables or deletes this user');
  await press(form, 'Save');
  await requestApproval(page, 'phone-setup-review');
  await message(page, /Change the Belay setup/)
    .getByText('not set → rosa.castro@example.com')
    .waitFor();
  await shoot(page, 'phone-setup-request');
});

test('Gus, a guest, is refused', async () => {
  const page = await stage.open('gus');
  await say(page, '/belay alerts');
  await message(page, "Guests of this workspace can't use").waitFor();
  await shoot(page, 'guest');
});

test('Ana is refused setup', async () => {
  const page = await stage.open('ana');
  await say(page, '/belay setup');
  await message(page, 'Only admins can set up Belay').waitFor();
});

test('no page had an error or sent a request to another host', () => {
  expect(stage.faults).toEqual([]);
});

async function describedBy(page: Page, field: ReturnType<Page['getByRole']>): Promise<string> {
  const ids = (await field.getAttribute('aria-describedby'))?.split(' ') ?? [];
  const texts = await Promise.all(ids.map((id) => page.locator(`[id="${id}"]`).textContent()));
  return texts.join(' ');
}
