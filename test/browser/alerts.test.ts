import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  createPlaygroundStage,
  desktopAndPhone,
  type PlaygroundStage,
} from './playground-stage.ts';
import { dialog, expectFitting, message, press, say } from './seen.ts';

let stage: PlaygroundStage;
beforeAll(async () => {
  stage = await createPlaygroundStage({ dialect: 'live' });
});
// Else a test could take a message of the one before for its own.
beforeEach(() => stage.slack.reset());
afterAll(async () => {
  await stage?.close();
});

test.each(desktopAndPhone)(
  'Ben narrows the alerts down, notes on one and clears it, on a %s',
  async (name, size) => {
    const page = await stage.open('ben', size);
    const see = (what: string) => expectFitting(page, `${name}-alerts-${what}`);

    await say(page, '/belay alerts severity:eror');
    await message(page, 'Did you mean').waitFor();
    await say(page, '/belay alerts type:policy_violated since:30d sort:-severity policy:gold');
    const list = message(page, 'Active alerts by policy');
    await list.waitFor();
    await see('filtered');
    await press(list, 'Filter');
    const form = dialog(page, 'Filter alerts');
    await form.getByText('Order').waitFor();
    await expect
      .poll(() => opener(menu(form, 'Severity')).evaluate((one) => one === document.activeElement))
      .toBe(true);
    const choices = await form.getByLabel('Status').getByRole('option').allTextContents();
    expect(choices).toEqual(['Active alerts', 'Cleared alerts', 'Active and cleared alerts']);
    await see('filter');
    const choose = chooseByKeyboard(page, see);
    await choose(menu(form, 'Severity'), ['Error', 'Warning'], 'severity-menu');
    await choose(menu(form, 'Type'), ['Restore failed', 'Tag conflict'], 'type-menu');
    expect(await opener(menu(form, 'Severity')).textContent()).toBe('Error, Warning');
    expect(await opener(menu(form, 'Type')).textContent()).toBe(
      'Policy violated, Restore failed, Tag conflict',
    );
    await see('filter-chosen');
    await press(form, 'Filter');
    await form.waitFor({ state: 'hidden' });
    const type = 'policy violated or restore failed or tag conflict';
    await message(page, `Filters: error or warning, ${type}`).waitFor();
    await see('chosen');

    await press(list, 'View details');
    await dialog(page, 'Alert')
      .getByRole('button', { name: /^(Add|Edit) note/ })
      .click();
    const note = page.getByRole('dialog', { name: /^(Add|Edit) note$/ });
    await note.getByRole('textbox').fill('Disk is on its way');
    await see('note');
    await press(note, 'Save note');
    const saved = message(page, 'Note saved: ');
    await saved.waitFor();

    await press(saved, 'View details');
    await dialog(page, 'Alert').getByText('Disk is on its way').waitFor();
    await press(dialog(page, 'Alert'), 'Clear alert');
    const question = dialog(page, 'Clear alert');
    await question.getByText("This can't be undone").waitFor();
    await see('clear');
    await press(question, 'Clear alert');
    await message(page, 'Alert cleared: ').waitFor();

    await say(page, '/belay audit');
    await message(page, 'Audit log').waitFor();
    await see('log');
    expect(stage.faults).toEqual([]);
    await page.close();
  },
);

function menu(form: Locator, label: string): Locator {
  return form.getByRole('group', { name: label });
}

function opener(ofMenu: Locator): Locator {
  return ofMenu.getByRole('button');
}

/** Opens a menu, walks to each of the choices, ticks it, and closes the menu, by keys alone. */
function chooseByKeyboard(page: Page, see: (what: string) => Promise<void>) {
  return async (ofMenu: Locator, choices: string[], open: string): Promise<void> => {
    await opener(ofMenu).focus();
    await page.keyboard.press('Enter');
    for (const choice of choices) {
      const box = ofMenu.getByRole('checkbox', { name: choice, exact: true });
      await box.waitFor();
      while (!(await box.evaluate((element) => element === document.activeElement))) {
        await page.keyboard.press('Tab');
      }
      await page.keyboard.press('Space');
    }
    await see(open);
    await page.keyboard.press('Escape');
    await ofMenu.getByRole('checkbox').first().waitFor({ state: 'hidden' });
  };
}
