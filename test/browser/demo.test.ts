import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAdjustableClock } from '../../playground/adjustable-clock.ts';
import { people } from '../../playground/people.ts';
import { createPage } from '../../playground/web/serve-page.ts';
import { createPlaygroundStage, type PlaygroundStage, phone } from './playground-stage.ts';
import { dialog, expectNothingSideways, message, messageBox, press, say } from './seen.ts';

let stage: PlaygroundStage;
let page: Page;

beforeAll(async () => {
  stage = await createPlaygroundStage({
    adjustableClock: createAdjustableClock(),
    page: await createPage({ openAs: people.ana, isDemo: true }),
  });
  page = await stage.open('ana');
});

afterAll(() => stage?.close());

test('things to try fill the message box, or switch to another person', async () => {
  await page.getByRole('button', { name: '/belay disable kim lee' }).click();
  expect(await messageBox(page).inputValue()).toBe('/belay disable kim lee');
  expect(await messageBox(page).evaluate((box) => box === document.activeElement)).toBe(true);
  await page.getByRole('button', { name: 'Act as Ben Carter' }).click();
  await expect.poll(() => page.url()).toContain(people.ben);
  await page.getByRole('button', { name: 'Act as Ana Sousa' }).click();
  await expect.poll(() => page.url()).toContain(people.ana);
});

test('on a phone, they are folded', async () => {
  const small = await stage.open('ana', phone);
  const command = small.getByRole('button', { name: '/belay compliance' });
  await messageBox(small).waitFor();
  expect(await command.isVisible()).toBe(false);
  await small.getByText('Five things to try').click();
  await command.click();
  expect(await messageBox(small).inputValue()).toBe('/belay compliance');
  await expectNothingSideways(small);

  await messageBox(small).press('Enter');
  const report = message(small, 'Compliance: ');
  await report.waitFor();
  const leftOf = async (found: Locator) => (await found.boundingBox())?.x;
  const left = await leftOf(report.getByRole('table'));
  expect(
    await leftOf(report.getByRole('button', { name: /^Refresh/ }).locator('xpath=../*[1]')),
  ).toBe(left);
});

test('with the clock moved forward, a digest is posted and a request expires', async () => {
  await say(page, '/belay disable joana.prado@example.com');
  const form = dialog(page, 'Disable user');
  await form.getByRole('textbox', { name: 'Reason' }).fill('On leave until May');
  await press(form, 'Request approval');
  await message(page, 'Pending').waitFor();
  await say(page, '/belay digest new');
  await press(dialog(page, 'New digest'), 'Preview');
  await press(dialog(page, 'Preview'), 'Save');
  await message(page, 'added a digest').waitFor();

  const clock = page.getByRole('region', { name: 'Clock' });
  for (let day = 0; day < 4; day += 1) {
    await press(clock, 'Forward 1 day');
    await clock.getByText('Moved forward 1 day.').waitFor();
  }
  await message(page, /Expired/).waitFor();
  await message(page, /Digest · /).waitFor();
  await page.getByText('Today', { exact: true }).waitFor();
  // Slack and Belay agree on the time.
  await say(page, '/belay version');
  await message(page, 'Belay 0').waitFor();
});

test('the inspector shows requests and calls, with their JSON', async () => {
  await page.getByText('Requests between Slack and Belay').click();
  await say(page, '/belay help alerts');
  const command = page.locator('.inspector li').filter({ hasText: '/belay help alerts' });
  await command.getByText('Slack → Belay').click();
  await command.getByText('"user_id": "U0ANA00001"').waitFor();
  expect(await command.textContent()).toMatch(/ok\d+ ms/);
  expect(await command.textContent()).toContain('"token": "(hidden)"');
  await page.getByText('Belay → Slack').first().waitFor();
  await expectNothingSideways(page);
  await page.getByText('Requests between Slack and Belay').click();
});

test('no page had an error or sent a request to another host', () => {
  expect(stage.faults).toEqual([]);
});
