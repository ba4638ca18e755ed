import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPlaygroundStage, type PlaygroundStage, phone } from './playground-stage.ts';
import { dialog, expectFitting, message, press, say, shoot } from './seen.ts';

let stage: PlaygroundStage;

beforeAll(async () => {
  stage = await createPlaygroundStage({ dialect: 'live' });
});

afterAll(async () => {
  await stage?.close();
});

test('Ana creates a policy', async () => {
  const page = await stage.open('ana');
  await say(page, '/belay policies create');
  const form = dialog(page, 'Create policy');
  await form.getByRole('textbox', { name: 'Name' }).fill('Ledgers, hourly');
  await shoot(page, 'policy-create');
  await press(form, 'Hourly, keep 30 days');
  const set = dialog(page, 'Schedule 1 of 1');
  const operation = set.getByRole('combobox', { name: 'Operation' });
  await operation.selectOption({ label: 'AWS EBS volume backup' });
  await set.getByRole('textbox', { name: 'Retention' }).fill('0');
  await press(set, 'Save schedule');
  await set.getByText('Enter a whole number from 1 to 99999.').first().waitFor();
  await shoot(page, 'policy-sla-set-error');
  await set.getByRole('textbox', { name: 'Retention' }).fill('45');
  await press(set, 'Save schedule');
  await form.getByText('every hour · keep 45 days').first().waitFor();
  expect(await form.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Ledgers, hourly');
  await shoot(page, 'policy-overview');
  await press(form, 'Review');
  const review = dialog(page, 'Review changes');
  await review.getByRole('textbox', { name: 'Reason' }).fill('Required from March');
  await shoot(page, 'policy-review');
  await press(review, 'Request approval');
  await message(page, /Create policy/).waitFor();
});

test('Ben edits a policy on a phone, with the keyboard', async () => {
  const page = await stage.open('ben', phone);
  await say(page, '/belay policy silver');
  await press(message(page, 'AWS EBS volume backup'), 'Edit');
  const form = dialog(page, 'Edit policy');
  await form.getByText('Schedules (2)').waitFor();
  await expectFitting(page, 'phone-policy-overview');
  await form.getByRole('button', { name: /^Move down: Schedule 1/ }).focus();
  await page.keyboard.press('Enter');
  await form.getByText(/^1\. VMware VM backup/).waitFor();
  await form.getByRole('button', { name: /^Edit: Schedule 1 / }).focus();
  await page.keyboard.press('Enter');
  const set = dialog(page, 'Schedule 1 of 2');
  await set.getByRole('textbox', { name: 'Retention' }).first().fill('400');
  await expectFitting(page, 'phone-policy-sla-set');
  await page.keyboard.press('Control+Enter');
  await form.getByText('keep 400 days').first().waitFor();
  await form.getByRole('textbox', { name: 'Name' }).focus();
  await page.keyboard.press('Control+Enter');
  const review = dialog(page, 'Review changes');
  await review.getByText('400 days').first().waitFor();
  await expectFitting(page, 'phone-policy-review');
});

test('no page had an error or sent a request to another host', () => {
  expect(stage.faults).toEqual([]);
});
