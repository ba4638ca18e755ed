import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPlaygroundStage, desktop, type PlaygroundStage, phone } from './playground-stage.ts';
import { dialog, expectNothingSideways, message, press, say, shoot } from './seen.ts';

describe.each([
  ['a desktop', desktop],
  ['a phone', phone],
] as const)('on %s', (_name, size) => {
  let stage: PlaygroundStage;
  let page: Page;
  let ahead = 0;
  /** The alert that was raised. */
  let entity = '';

  /** From the control for the service, which is behind a menu on a phone. */
  async function raise(): Promise<string> {
    const menu = page.getByRole('button', { name: 'Menu' });
    if (size === phone) await menu.click();
    const service = page.getByRole('region', { name: 'Service' });
    await press(service, 'Raise an alert');
    const status = service.getByRole('status').filter({ hasText: /^Raised: / });
    await status.waitFor();
    const said = (await status.textContent()) ?? '';
    if (size === phone) await menu.click();
    ahead += 15_000;
    return /, (\S+) \((error|warning)\)\.$/.exec(said)?.[1] ?? '';
  }

  const watched = () => message(page, new RegExp(`(?:Warning|Error) · ${entity}`)).locator('..');
  const shootAs = (what: string) =>
    shoot(page, `desk-${what}-${size === phone ? 'phone' : 'wide'}`);

  beforeAll(async () => {
    stage = await createPlaygroundStage({
      dialect: 'live',
      clock: () => new Date(Date.now() + ahead),
    });
    page = await stage.open('ana', size);
    await say(page, '/belay watch all');
    await message(page, 'added a watch to this channel').waitFor();
    entity = await raise();
    await message(page, entity).waitFor();
  });
  afterAll(() => stage?.close());

  test('one click on the message of a watch acknowledges the alert', async () => {
    await press(watched(), 'Acknowledge');
    await watched().getByText('Owner:').waitFor();
    await shootAs('acknowledged');
  });

  test('two clicks snooze it, and the desk shows it', async () => {
    const snooze = watched().getByRole('combobox', { name: 'Snooze…' });
    await snooze.selectOption({ label: '1 hour' });
    await watched().getByText('Snoozed until').waitFor();
    await shootAs('snoozed');
    await say(page, '/belay desk');
    await message(page, 'Yours').waitFor();
    await shootAs('desk');
    await expectNothingSideways(page);
    await say(page, '/belay desk warnings gold');
    await message(page, 'Filters: warning, “gold”').waitFor();
    await shootAs('desk-filtered');
    await expectNothingSideways(page);
  });

  test('the list of alerts offers what can be done with them', async () => {
    await say(page, '/belay alerts');
    await message(page, 'Active alerts by policy').waitFor();
    await shootAs('list');
    await expectNothingSideways(page);
  });

  test('three clicks mute alerts of its type, and the channel sees it', async () => {
    await press(watched(), 'View details');
    await press(dialog(page, 'Alert'), 'Mute alerts like this…');
    const form = dialog(page, 'Mute alerts');
    await form.getByLabel('Reason').fill('Maintenance of the storage');
    await shootAs('mute-form');
    await expectNothingSideways(page);
    await press(form, 'Mute');
    await message(page, 'muted alerts').waitFor();
    await say(page, '/belay mute');
    await message(page, '1 mute in').waitFor();
    await shootAs('mutes');
    await expectNothingSideways(page);
  });

  test('the end of a mute is posted', async () => {
    await press(message(page, '1 mute in').locator('..'), 'End mute');
    await press(dialog(page, 'End this mute?'), 'End mute');
    await message(page, 'ended the mute').waitFor();
    await shootAs('mute-ended');
    expect(stage.faults).toEqual([]);
  });
});
