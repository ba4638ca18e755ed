import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  createPlaygroundStage,
  desktopAndPhone,
  type PlaygroundStage,
} from './playground-stage.ts';
import { brokenWords, expectFitting, message, press, say } from './seen.ts';

let stage: PlaygroundStage;
beforeAll(async () => {
  stage = await createPlaygroundStage({ dialect: 'live' });
});
beforeEach(() => stage.slack.reset());
afterAll(async () => {
  await stage?.close();
});

test.each(desktopAndPhone)(
  'Ana looks up what a policy backs up and who changed it, on a %s',
  async (name, size) => {
    const page = await stage.open('ana', size);
    const see = (what: string) => expectFitting(page, `${name}-policies-${what}`);

    await say(page, '/belay policies');
    const list = message(page, 'Policies · 1-10 of 12');
    await list.waitFor();
    expect(await list.getByRole('columnheader').allTextContents()).toEqual([
      ...['Policy', 'Backs up', 'Every', 'Keeps', 'Active', 'Compliant'],
    ]);
    expect(await brokenWords(page)).toEqual([]);
    expect(await list.getByText('Scroll the table sideways').count()).toBe(0);
    await see('list');
    await list.getByRole('combobox', { name: 'View policy' }).selectOption('Gold');
    const card = message(page, 'window 22:00–04:00');
    await card.waitFor();
    expect(await card.getByRole('heading').allTextContents()).toContain('Gold');
    await see('one');
    await press(card, 'History');
    await message(
      page,
      'No changes to Gold through Belay, and none found outside Belay.',
    ).waitFor();
    await press(card, 'View compliance');
    await message(page, 'noncompliant').waitFor();
    await see('compliance');
    expect(stage.faults).toEqual([]);
    await page.close();
  },
);
