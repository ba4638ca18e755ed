import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createStage, people, type Stage } from './stage.ts';

// Long enough for a busy machine to acknowledge what is to be acknowledged.
const ACK_TIMEOUT_MS = 2500;

let stage: Stage;
let ana: Page;
let ben: Page;

beforeAll(async () => {
  stage = await createStage(ACK_TIMEOUT_MS);
  ana = await stage.open('ana');
  ben = await stage.open('ben');
});

afterAll(async () => {
  await stage?.close();
});

const messageBox = (page: Page) => page.getByRole('textbox', { name: 'Message #ops' });
const log = (page: Page) => page.getByRole('log', { name: 'Messages in #ops' });

async function say(page: Page, text: string): Promise<void> {
  await messageBox(page).fill(text);
  await messageBox(page).press('Enter');
}

const isFocused = (page: Page, name: string) =>
  page.getByRole('textbox', { name }).evaluate((box) => box === document.activeElement);

test('a modal shows errors beside the field, and returns focus when it closes', async () => {
  await say(ana, '/belay request');
  const dialog = ana.getByRole('dialog', { name: 'Request a change' });
  const reason = dialog.getByRole('textbox', { name: 'Reason' });

  await dialog.getByRole('button', { name: 'Request', exact: true }).click();
  await dialog.getByText('Please complete this required field.').waitFor();

  await reason.fill('because');
  await reason.press('Enter');
  await dialog.getByText('Say a little more.').waitFor();
  expect(await reason.getAttribute('aria-invalid')).toBe('true');
  const described = (await reason.getAttribute('aria-describedby'))?.split(' ') ?? [];
  const descriptions = await Promise.all(
    described.map((id) => ana.locator(`[id="${id}"]`).textContent()),
  );
  expect(descriptions).toEqual(['Say a little more.', 'Approvers will read it.']);
  expect(await isFocused(ana, 'Reason')).toBe(true);

  await reason.fill('she left');
  await dialog.getByRole('button', { name: 'Request', exact: true }).click();
  await dialog.waitFor({ state: 'hidden' });
  await log(ana).getByText('she left').waitFor();
  expect(await isFocused(ana, 'Message #ops')).toBe(true);
});

test('a modal preserves typed values when it is updated or covered by another, and Escape closes it', async () => {
  await say(ana, '/belay request');
  const dialog = ana.getByRole('dialog', { name: 'Request a change' });
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('half a sen');
  const approvers = dialog.getByRole('group', { name: 'Approvers' });
  await approvers.getByRole('button').click();
  await approvers.getByRole('checkbox', { name: 'Ben Carter' }).check();

  await dialog.getByRole('button', { name: 'Check' }).click();
  await dialog.getByText('Checked: all is well.').waitFor();
  expect(await dialog.getByRole('textbox', { name: 'Reason' }).inputValue()).toBe('half a sen');
  expect(await approvers.getByRole('button').textContent()).toBe('Ben Carter');

  await dialog.getByRole('button', { name: 'Explain' }).click();
  const above = ana.getByRole('dialog', { name: 'What happens next' });
  await above.getByText('An approver decides.').waitFor();
  expect(await dialog.isVisible()).toBe(false);
  await above.getByRole('button', { name: 'Back' }).click();
  await dialog.waitFor();
  expect(await dialog.getByRole('textbox', { name: 'Reason' }).inputValue()).toBe('half a sen');

  await ana.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
});

test('each person sees a date in their own time zone', async () => {
  await log(ana).getByText('2026-11-20 11:30 PM').waitFor();
  await log(ben).getByText('2026-11-20 6:30 PM').waitFor();
});

test('an app that answers too late is reported beside the pressed button', async () => {
  const ponder = log(ben).getByRole('button', { name: 'Ponder' });
  await ponder.click();
  await log(ben).getByRole('alert').getByText('operation_timeout').waitFor();
  stage.letGo();
});

test('a button with a confirmation does nothing until it is confirmed', async () => {
  const approve = log(ben).getByRole('button', { name: 'Approve' });
  const question = ben.getByRole('dialog', { name: 'Approve this?' });
  await approve.click();
  await question.getByRole('button', { name: 'Not now' }).click();
  await question.waitFor({ state: 'hidden' });
  expect(await approve.isVisible()).toBe(true);

  await approve.click();
  await question.getByRole('button', { name: 'Yes, approve' }).click();
  await log(ana).getByText('Approved by @Ben Carter').waitFor();
  await approve.waitFor({ state: 'hidden' });
  await log(ana).getByText('(edited)').waitFor();
});

test('an ephemeral message is visible to one person, who can dismiss it', async () => {
  await say(ana, '/belay secret');
  const secret = log(ana).getByRole('article').filter({ hasText: 'Between the two of us.' });
  await secret.getByText('Only visible to you').waitFor();

  await say(ana, 'Good morning, Ben');
  await log(ben).getByText('Good morning, Ben').waitFor();
  expect(await log(ben).getByText('Between the two of us.').count()).toBe(0);

  await secret.getByRole('button', { name: 'Dismiss' }).click();
  await secret.waitFor({ state: 'hidden' });
});

test('typing a slash suggests the command and its subcommands', async () => {
  await messageBox(ana).fill('/be');
  await ana.getByRole('list', { name: 'Commands' }).getByText('alerts | compliance').waitFor();
  await messageBox(ana).press('Tab');
  expect(await messageBox(ana).inputValue()).toBe('/belay ');
});

test('on a phone the conversations are behind a menu button', async () => {
  const phone = await stage.open('ana', { width: 375, height: 700 });
  const conversations = phone.getByRole('navigation', { name: 'Conversations' });
  await messageBox(phone).waitFor();
  expect(await conversations.isVisible()).toBe(false);
  expect(await phone.evaluate(() => document.body.scrollWidth)).toBe(375);

  await phone.getByRole('button', { name: 'Menu' }).click();
  await conversations.getByRole('link', { name: 'Belay' }).click();
  await phone.getByRole('textbox', { name: 'Message Belay' }).waitFor();
  expect(await conversations.isVisible()).toBe(false);
});

test('the page can switch to another person, and the URL identifies that person', async () => {
  const switching = await stage.open('ana');
  await switching.getByLabel('You are').selectOption('Ben Carter · approver');
  await switching.waitForURL(`${stage.slack.url}/?as=${people.ben}#ops`);
  await switching.goBack();
  await switching.getByText('Good morning, Ben').waitFor();
  expect(await switching.getByLabel('You are').inputValue()).toBe(people.ana);
});

test('no page had an error or sent a request to another host', () => {
  expect(stage.faults).toEqual([]);
});
