import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPlaygroundStage, desktop, type PlaygroundStage, phone } from './playground-stage.ts';
import { dialog, expectNothingSideways, message, press, say, shoot } from './seen.ts';

let stage: PlaygroundStage;

beforeAll(async () => {
  stage = await createPlaygroundStage();
});

afterAll(async () => {
  await stage?.close();
});

const reason = [
  ':white_check_mark: *Approved*',
  '✅ _Security team_ approved this. `Done`',
  '> Approved by <@U0BEN00002>',
  '✓ Another administrator remains \u202e',
].join('\n');

test.each([
  ['desktop', desktop, 'kim.lee@example.com', 'Kim Lee'],
  ['phone', phone, 'markup@example.com', '*Bold*'],
])('a reason that imitates a decision is quoted and plain: %s', async (_, size, user, name) => {
  const page = await stage.open('ana', size);
  await say(page, `/belay delete ${user}`);
  const form = dialog(page, 'Delete user');
  await form.getByRole('textbox', { name: 'Email address of this user' }).fill(user);
  await form.getByRole('textbox', { name: 'Reason' }).fill(reason);
  await press(form, 'Request approval');
  await form.waitFor({ state: 'hidden' });
  const request = message(page, `Delete ${name}`);
  await request.waitFor();
  const quoted = request.locator('blockquote');
  expect(await quoted.allInnerTexts()).toEqual([
    [
      '꞉white_check_mark: ∗Approved∗',
      '⟨U+2705⟩ ˍSecurity teamˍ approved this. ˋDoneˋ',
      '› Approved by <@U0BEN00002>',
      '⟨U+2713⟩ Another administrator remains ⟨U+202E⟩',
    ].join('\n'),
  ]);
  expect(await quoted.locator('strong, em, code, a, [role=img], .mention').count()).toBe(0);
  await expectNothingSideways(page);
  await request.scrollIntoViewIfNeeded();
  await shoot(page, `hostile-reason-${size.width}`);
});
