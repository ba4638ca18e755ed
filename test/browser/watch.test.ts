import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPlaygroundStage, desktop, type PlaygroundStage, phone } from './playground-stage.ts';
import { expectNothingSideways, message, press, say, shoot } from './seen.ts';

let stage: PlaygroundStage;
let page: Page;
let ahead: number;

/** Ana's page, with a watch in #ops that has seen nothing new yet. */
async function watchAll(dialect: 'documented' | 'live', size: typeof desktop): Promise<void> {
  ahead = 0;
  stage = await createPlaygroundStage({ dialect, clock: () => new Date(Date.now() + ahead) });
  page = await stage.open('ana', size);
  await say(page, '/belay watch all');
  await message(page, 'added a watch to this channel').waitFor();
}

const service = () => page.getByRole('region', { name: 'Service' });

/** Presses a button of the service, and reads there what was done. */
async function pressAtService(text: string, said: RegExp): Promise<string> {
  await press(service(), text);
  const status = service().getByRole('status').filter({ hasText: said });
  await status.waitFor();
  return (await status.textContent()) ?? '';
}

const letPollBeDue = () => {
  ahead += 15_000;
};

describe('on a desktop, with a service of the documented dialect', () => {
  beforeAll(() => watchAll('documented', desktop));
  afterAll(() => stage?.close());

  test('an alert that Ana raises is posted, and edited when it is raised again', async () => {
    await service().getByText('within 20 seconds').waitFor();
    const said = await pressAtService('Raise an alert', /^Raised: /);
    const [, entity = ''] = /, (\S+) \((error|warning)\)\.$/.exec(said) ?? [];
    letPollBeDue();
    const posted = message(page, entity);
    await posted.waitFor();

    await pressAtService('Raise the newest again', /^Raised 2 times: /);
    letPollBeDue();
    await posted.getByText('raised 2 times').waitFor();
  });

  test('a reply in its thread says that it was cleared, and no alert is left to clear', async () => {
    await pressAtService('Clear the newest', /^Cleared: /);
    letPollBeDue();
    await press(message(page, 'raised 2 times').locator('..'), '1 reply');
    await message(page, /^(?!.*raised 2 times).*Cleared/).waitFor();
    await shoot(page, 'watch-cleared');
    await press(service(), 'Clear the newest');
    await service().getByRole('alert').getByText('Raise one first').waitFor();
    await shoot(page, 'watch-nothing-to-clear');
    expect(stage.faults).toEqual([]);
  });
});

describe('on a phone, with a service of the live dialect', () => {
  beforeAll(() => watchAll('live', phone));
  afterAll(() => stage?.close());

  test('a storm that Ana raises by keyboard is posted as a few messages and a summary', async () => {
    const menu = page.getByRole('button', { name: 'Menu' });
    await menu.click();
    await service().getByRole('button', { name: 'Raise 100 alerts' }).focus();
    await page.keyboard.press('Enter');
    await service().getByText('Raised 100 alerts.').waitFor();
    await expectNothingSideways(page);
    await shoot(page, 'phone-watch-service');
    await menu.click();

    letPollBeDue();
    // Messages keep a second between them, of which there are four in one of ours.
    const hurry = setInterval(() => {
      ahead += 750;
    }, 250);
    await message(page, /\d more alerts/)
      .waitFor()
      .finally(() => clearInterval(hurry));
    const ownMessages = await page.getByRole('button', { name: 'View details: ' }).count();
    expect(ownMessages).toBeGreaterThan(0);
    expect(ownMessages).toBeLessThan(20);
    await expectNothingSideways(page);
    await shoot(page, 'phone-watch-storm');
    expect(stage.faults).toEqual([]);
  });
});
