import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPlaygroundStage, type PlaygroundStage, phone } from './playground-stage.ts';
import { become, dialog, expectNothingSideways, message, press, say, shoot } from './seen.ts';

let stage: PlaygroundStage;

beforeAll(async () => {
  stage = await createPlaygroundStage();
});

afterAll(async () => {
  expect(stage.faults).toEqual([]);
  await stage?.close();
});

test('on a phone, Ben names Cleo, who approves in his place, and an admin ends it', async () => {
  const page = await stage.open('ben', phone);
  await say(page, '/belay away');
  await press(message(page, 'You have no stand-in.'), 'Choose stand-in…');
  const form = dialog(page, 'Choose stand-in');
  await form.getByRole('combobox', { name: 'Stand-in' }).selectOption({ label: 'Cleo Brandt' });
  const until = new Date(Date.now() + 5 * 24 * 3_600_000).toISOString().slice(0, 10);
  await form.getByLabel('Last day').fill(until);
  await shoot(page, 'phone-away-form');
  await expectNothingSideways(page);
  await press(form, 'Choose stand-in');
  const named = dialog(page, 'Choose stand-in');
  await named.getByText('now stands in for you until').waitFor();
  await shoot(page, 'phone-away-named');
  await press(named, 'Close');

  await become(page, 'Ana Sousa · operator');
  await say(page, '/belay disable joana.prado@example.com');
  const request = dialog(page, 'Disable user');
  await request.getByRole('textbox', { name: 'Reason' }).fill('Left the company');
  await press(request, 'Request approval');
  await become(page, 'Cleo Brandt · workspace admin');
  const card = message(page, 'stands in for');
  await shoot(page, 'phone-away-request');
  await press(card, 'Approve');
  await press(dialog(page, 'Approve this request?'), 'Approve');
  await message(page, /Approved by @Cleo Brandt \(standing in for @Ben Carter\)/).waitFor();
  await shoot(page, 'phone-away-approved');

  await say(page, '/belay access');
  const access = message(page, 'Protected users');
  await access.getByText('stands in for').waitFor();
  await shoot(page, 'phone-away-access');
  await press(access, 'End stand-in');
  await press(dialog(page, 'End stand-in?'), 'End stand-in');
  await message(page, 'no longer stands in for').waitFor();
});
