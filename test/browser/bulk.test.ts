import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createPlaygroundStage,
  desktopAndPhone,
  type PlaygroundStage,
} from './playground-stage.ts';
import { become, dialog, expectNothingSideways, message, press, say, shoot } from './seen.ts';

const leaving = ['ana.silva@example.com', 'joana.prado@example.com', 'zoe.fischer@example.com'];

describe.each(desktopAndPhone)('several users at once (%s)', (name, size) => {
  let stage: PlaygroundStage;
  let page: Page;
  beforeAll(async () => {
    stage = await createPlaygroundStage();
    page = await stage.open('ana', size);
  });
  afterAll(() => stage?.close());

  const isEnabled = (address: string) => {
    const { service } = stage;
    const users = service.users(service.portals[0]?.id ?? '');
    return users.find(({ email }) => email === address)?.is_enabled;
  };

  test('pasted addresses are checked, and valid ones are requested', async () => {
    await say(page, '/belay bulk disable');
    const form = dialog(page, 'Disable users');
    const users = form.getByRole('textbox', { name: 'Users' });
    await users.fill([...leaving, 'nobody@example.com', 'mariana.costa@example.com'].join('\n'));
    await shoot(page, `bulk-form-${name}`);
    await press(form, 'Check users');
    await form.getByText("2 users can't be included").waitFor();
    expect(await users.inputValue()).toContain('nobody@example.com');
    await expectNothingSideways(page);
    await shoot(page, `bulk-problems-${name}`);

    await press(form, 'Continue without these 2');
    await form.getByText('3 users', { exact: true }).waitFor();
    await expectNothingSideways(page);
    await form.getByRole('textbox', { name: 'Reason' }).fill('The contract ended on Friday');
    await shoot(page, `bulk-review-${name}`);
    await press(form, 'Request approval');
    await form.waitFor({ state: 'hidden' });
    const request = message(page, /Disable 3 users/);
    for (const address of leaving) await request.getByText(address).waitFor();
    await expectNothingSideways(page);
    await shoot(page, `bulk-request-${name}`);
  });

  test('one approval disables all of them, and the message shows each result', async () => {
    await become(page, 'Ben Carter · approver');
    await press(message(page, /Disable 3 users/), 'Approve');
    const question = dialog(page, 'Approve this request?');
    await question.getByText('Disable 3 users?').waitFor();
    await press(question, 'Approve');
    const done = message(page, /Disable 3 users/);
    await done.getByText('3 disabled').waitFor();
    expect(await done.getByRole('cell', { name: 'Disabled', exact: true }).count()).toBe(3);
    for (const address of leaving) expect(isEnabled(address)).toBe(false);
    await expectNothingSideways(page);
    await shoot(page, `bulk-results-${name}`);
    expect(stage.faults).toEqual([]);
  });
});
