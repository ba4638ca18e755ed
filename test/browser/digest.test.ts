import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  createPlaygroundStage,
  desktopAndPhone,
  type PlaygroundStage,
} from './playground-stage.ts';
import { dialog, expectFitting, message, press, say } from './seen.ts';

let stage: PlaygroundStage;
beforeAll(async () => {
  stage = await createPlaygroundStage();
});
beforeEach(() => stage.slack.reset());
afterAll(() => stage?.close());

test.each(desktopAndPhone)('Ana schedules a digest of errors, on a %s', async (name, size) => {
  const page = await stage.open('ana', size);
  const see = (what: string) => expectFitting(page, `${name}-digest-${what}`);
  await say(page, '/belay digest new');
  const form = dialog(page, 'New digest');
  const severity = form.getByRole('group', { name: 'Severity' });
  await severity.getByRole('button').click();
  await severity.getByRole('checkbox', { name: 'Error', exact: true }).check();
  await page.keyboard.press('Escape');
  await form.getByRole('textbox', { name: 'Policy' }).fill('Gold');
  await see('form');
  await press(form, 'Preview');

  const preview = dialog(page, 'Preview');
  await preview.getByText('Filters: error, policy “Gold”').waitFor();
  await see('preview');
  await press(preview, 'Back');
  await expect.poll(() => severity.getByRole('button').textContent()).toBe('Error');
  await press(form, 'Preview');
  await press(preview, 'Save');
  await message(page, 'Digest saved: ').waitFor();
  await say(page, '/belay digest');
  await message(page, '1 digest in this channel').getByText('Filters: error').waitFor();
  await see('list');
  await press(message(page, '1 digest in this channel'), 'End digest');
  await press(page.getByRole('dialog', { name: 'End digest?' }), 'End digest');
  await message(page, 'Digest ended: ').waitFor();
  expect(stage.faults).toEqual([]);
  await page.close();
});
