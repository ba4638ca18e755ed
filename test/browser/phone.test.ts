import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPlaygroundStage, type PlaygroundStage, phone } from './playground-stage.ts';
import { become, dialog, expectNothingSideways, message, press, say, shoot } from './seen.ts';

let stage: PlaygroundStage;
let page: Page;

beforeAll(async () => {
  stage = await createPlaygroundStage();
  page = await stage.open('ana', phone);
});

afterAll(async () => {
  await stage?.close();
});

test('the lists fit', async () => {
  for (const [command, answer] of [
    ['help', 'What Belay can do'],
    ['alerts', 'Active alerts by policy'],
    ['compliance', 'Compliance: '],
    ['users ana', 'users match “ana”'],
  ] as const) {
    await say(page, `/belay ${command}`);
    await message(page, answer).waitFor();
    await expectNothingSideways(page);
    await shoot(page, `phone-${command.replace(' ', '-')}`);
  }
  await press(message(page, 'Active alerts'), 'View details');
  await dialog(page, 'Alert').getByText('What to do').waitFor();
  await expectNothingSideways(page);
  await shoot(page, 'phone-alert-details');
  await press(dialog(page, 'Alert'), 'Close');
});

test('Ana opens the channel from the menu, requests to disable a user, and gets the outcome', async () => {
  const menu = page.getByRole('button', { name: 'Menu' });
  const conversations = page.getByRole('navigation', { name: 'Conversations' });
  expect(await conversations.isVisible()).toBe(false);
  await menu.click();
  await shoot(page, 'phone-menu');
  await conversations.getByRole('link', { name: 'ops' }).click();

  await say(page, '/belay disable ana.silva@example.com');
  const form = dialog(page, 'Disable user');
  await form.getByRole('textbox', { name: 'Reason' }).fill('Left the company on Friday');
  await expectNothingSideways(page);
  await shoot(page, 'phone-disable-form');
  await press(form, 'Request approval');
  await form.waitFor({ state: 'hidden' });
  await message(page, /Disable Ana Silva \(/).waitFor();
  await expectNothingSideways(page);
  await shoot(page, 'phone-disable-request');

  await become(page, 'Ben Carter · approver');
  await press(message(page, /Disable Ana Silva \(/), 'Approve');
  await dialog(page, 'Approve this request?').waitFor();
  await expectNothingSideways(page);
  await shoot(page, 'phone-approve-question');
  await press(dialog(page, 'Approve this request?'), 'Approve');
  await message(page, 'is disabled.').waitFor();

  await become(page, 'Ana Sousa · operator');
  await page.getByRole('button', { name: 'Menu 1 unread' }).click();
  await shoot(page, 'phone-menu-unread');
  await conversations.getByRole('link', { name: 'Belay' }).click();
  await message(page, /Disable Ana Silva[\s\S]*Your request/).waitFor();
  await expectNothingSideways(page);
});

test('no page had an error or sent a request to another host', () => {
  expect(stage.faults).toEqual([]);
});
