import type { Page } from 'playwright-core';
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

const home = (page: Page) => page.getByRole('main');

async function openTab(page: Page, name: 'Home' | 'Messages', isPhone: boolean): Promise<void> {
  if (isPhone) await page.getByRole('button', { name: 'Menu' }).click();
  const conversations = page.getByRole('navigation', { name: 'Conversations' });
  await conversations.getByRole('link', { name: 'Belay' }).click();
  await page.getByRole('navigation', { name: 'Belay tabs' }).getByRole('link', { name }).click();
}

test.each(desktopAndPhone)(
  'on a %s, Ben decides on Home what Ana has requested, and Cleo opens setup there',
  async (name, size) => {
    const isPhone = size === phone;
    const user = isPhone ? 'Joana Prado' : 'Sven Moreau';
    const page = await stage.open('ana', size);
    await say(page, `/belay disable ${user}`);
    const form = dialog(page, 'Disable user');
    await form.getByRole('textbox', { name: 'Reason' }).fill('Left the company on Friday');
    await press(form, 'Request approval');
    await message(page, `Disable ${user} (`).waitFor();
    await openTab(page, 'Home', isPhone);
    await home(page).getByText('Your open requests (1)').waitFor();
    await expectNothingSideways(page);

    await become(page, 'Ben Carter · approver');
    await home(page).getByText('Waiting for your decision (1)').waitFor();
    await home(page).getByText('Left the company on Friday').waitFor();
    await expectNothingSideways(page);
    await shoot(page, `${name}-home`);
    await press(home(page), 'Approve');
    await press(dialog(page, 'Approve this request?'), 'Approve');
    await home(page).getByText('No requests are waiting for your decision.').waitFor();

    await become(page, 'Cleo Brandt · workspace admin');
    await home(page).getByText('Connected').waitFor();
    await shoot(page, `${name}-home-admin`);
    await press(home(page), 'Help');
    await dialog(page, 'Belay').getByText('What Belay can do').waitFor();
    await press(dialog(page, 'Belay'), 'Close');
    await press(home(page), 'Settings');
    await page.getByRole('dialog').getByText('Approvers').first().waitFor();
    await press(page.getByRole('dialog'), 'Close');
    const tabs = page.getByRole('navigation', { name: 'Belay tabs' });
    await tabs.getByRole('link', { name: 'Messages' }).click();
    await page.getByRole('textbox', { name: 'Message Belay' }).waitFor();
  },
);
