import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAdjustableClock } from '../../playground/adjustable-clock.ts';
import {
  createPlaygroundStage,
  desktopAndPhone,
  type PlaygroundStage,
} from './playground-stage.ts';
import { become, dialog, expectFitting, message, press, say } from './seen.ts';

const kim = 'kim@example.com';
const weekMs = 7 * 24 * 60 * 60_000;

describe.each(desktopAndPhone)('an invitation (%s)', (name, size) => {
  const adjustableClock = createAdjustableClock();
  let stage: PlaygroundStage;
  let page: Page;
  beforeAll(async () => {
    stage = await createPlaygroundStage({ dialect: 'live', adjustableClock });
    page = await stage.open('ana', size);
  });
  afterAll(() => stage?.close());

  const invited = () => {
    const { service } = stage;
    return service.users(service.portals[0]?.id ?? '').filter(({ email }) => email === kim);
  };

  test('Ana requests to invite Kim, with a role and a unit', async () => {
    await say(page, `/belay invite ${kim} Kim Park as Backup Operator`);
    const form = dialog(page, 'Invite user');
    const address = form.getByRole('textbox', { name: 'Email address' });
    await address.waitFor();
    expect(await address.inputValue()).toBe(kim);
    const units = form.getByRole('group', { name: 'Organizational units' });
    await units.getByRole('button').first().click();
    await units.getByText('Finance', { exact: true }).click();
    await units.getByRole('button').first().click();
    await form.getByRole('textbox', { name: 'Reason' }).fill('Kim joins the storage team');
    await expectFitting(page, `invite-form-${name}`);
    await press(form, 'Request approval');
    await form.waitFor({ state: 'hidden' });
    const request = message(page, /Invite Kim Park \(/);
    await request.getByText('Backup Operator').first().waitFor();
    await request.getByText('Finance').first().waitFor();
    await expectFitting(page, `invite-request-${name}`);
  });

  test('Ben approves: Kim is invited once', async () => {
    await become(page, 'Ben Carter · approver');
    await press(message(page, /Invite Kim Park \(/), 'Approve');
    await press(dialog(page, 'Approve this request?'), 'Approve');
    const done = message(page, /Invite Kim Park \(/);
    await done.getByText('Completed').waitFor();
    await done.getByText('The invitation expires after 7 days.').waitFor();
    expect(invited()).toMatchObject([{ is_confirmed: false, full_name: 'Kim Park' }]);
    await expectFitting(page, `invite-completed-${name}`);
  });

  test('after a week the message says that the invitation expired, and offers another', async () => {
    adjustableClock.moveBy(weekMs + 120_000);
    await stage.belay.sweep();
    await become(page, 'Ana Sousa · operator');
    const expired = message(page, /Invite Kim Park \(/);
    await expired.getByText("hasn't accepted, and the invitation expired.").waitFor();
    await expectFitting(page, `invite-expired-${name}`);
    await press(expired, 'Invite again…');
    const form = dialog(page, 'Invite user');
    await form.getByText('The earlier invitation will be deleted.').waitFor();
    await expectFitting(page, `invite-again-${name}`);
    expect(stage.faults).toEqual([]);
  });
});
