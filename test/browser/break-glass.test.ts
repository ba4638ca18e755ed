import { afterAll, beforeAll, expect, test } from 'vitest';
import { people } from '../../playground/people.ts';
import type { Database } from '../../src/database/tables.ts';
import { openAnyDatabase } from '../support/databases.ts';
import { storeSettings } from '../support/store-settings.ts';
import {
  createPlaygroundStage,
  desktopAndPhone,
  type PlaygroundStage,
  phone,
} from './playground-stage.ts';
import { become, button, dialog, expectFitting, message, press, say } from './seen.ts';

let stage: PlaygroundStage;

/** Names Ana for break-glass, and a token owner: without one, that check can't be made. */
async function nameAna(db: Database): Promise<void> {
  const named = { breakGlass: [people.ana] };
  await storeSettings(db, { access: { rules: { 'users.disable': named } } });
  await db.updateTable('connection').set({ token_owner: 'kim.lee@example.com' }).execute();
}

beforeAll(async () => {
  let db: Database | undefined;
  stage = await createPlaygroundStage({
    // The documented dialect shows no roles, so the last administrator is unknown.
    dialect: 'live',
    async openDatabase() {
      const opened = await openAnyDatabase();
      db = opened.db;
      return opened;
    },
  });
  if (db) await nameAna(db);
});

afterAll(async () => {
  expect(stage.faults).toEqual([]);
  await stage?.close();
});

test.each(desktopAndPhone)(
  'on a %s, Ana runs an action without approval, and Ben reviews that on Home',
  async (name, size) => {
    const isPhone = size === phone;
    const user = isPhone ? 'Joana Prado' : 'Sven Moreau';
    const page = await stage.open('ana', size);
    await say(page, `/belay disable ${user}`);
    const form = dialog(page, 'Disable user');
    await form.getByRole('textbox', { name: 'Reason' }).fill('Account is stolen, see INC-7');
    await form.getByRole('checkbox', { name: 'Run now without approval (emergency)' }).check();
    await expectFitting(page, `${name}-break-glass-form`);
    await press(form, 'Request approval');
    await form.waitFor({ state: 'hidden' });
    const run = message(page, `Break-glass: disable ${user}`);
    await run.getByText('is disabled.').waitFor();
    await run.getByText('Needs review by').waitFor();
    await message(page, 'Belay is running this without approval.').waitFor();
    await run.scrollIntoViewIfNeeded();
    await expectFitting(page, `${name}-break-glass-run`);

    await become(page, 'Ben Carter · approver');
    if (isPhone) await page.getByRole('button', { name: 'Menu' }).click();
    const conversations = page.getByRole('navigation', { name: 'Conversations' });
    await conversations.getByRole('link', { name: 'Belay' }).click();
    const tabs = page.getByRole('navigation', { name: 'Belay tabs' });
    await tabs.getByRole('link', { name: 'Home' }).click();
    const home = page.getByRole('main');
    await home.getByText('Needs review (1)').waitFor();
    await expectFitting(page, `${name}-break-glass-home`);
    await press(home, 'Mark as reviewed…');
    const review = dialog(page, 'Review break-glass run');
    await review.getByText('Account is stolen, see INC-7').waitFor();
    await review.getByRole('textbox', { name: 'Comment' }).fill('Justified');
    await expectFitting(page, `${name}-break-glass-review`);
    await press(review, 'Mark as reviewed');
    await home.getByText('Needs review (1)').waitFor({ state: 'hidden' });

    if (isPhone) await page.getByRole('button', { name: 'Menu' }).click();
    await conversations.getByRole('link', { name: 'ops' }).click();
    await run.getByText('Reviewed by @Ben Carter').waitFor();
    await run.getByText('Justified').waitFor();
    expect(await button(run, 'Mark as reviewed…').count()).toBe(0);
    await run.scrollIntoViewIfNeeded();
    await expectFitting(page, `${name}-break-glass-reviewed`);
  },
);
