import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sample } from '../support/sampling.ts';
import { createPlaygroundStage, desktop, type PlaygroundStage, phone } from './playground-stage.ts';
import { become, dialog, goTo, message, press, say, shoot } from './seen.ts';

let stage: PlaygroundStage;
let page: Page;

const ana = 'Ana Sousa · operator';
const ben = 'Ben Carter · approver';

async function ask(verb: string, user: string, title: string, reason: string): Promise<void> {
  await say(page, `/belay ${verb} ${user}`);
  const form = dialog(page, title);
  await form.getByRole('textbox', { name: 'Reason' }).fill(reason);
  await press(form, 'Request approval');
  await form.waitFor({ state: 'hidden' });
}

function userOf(address: string) {
  const { service } = stage;
  return service.users(service.portals[0]?.id ?? '').find(({ email }) => email === address);
}
const kim = () => userOf('kim.lee@example.com');

async function approve(request: Locator): Promise<void> {
  await press(request, 'Approve');
  await press(dialog(page, 'Approve this request?'), 'Approve');
}

const dialects = sample(['documented', 'live'] as const, 1);

describe.each(dialects)('with a service of the %s dialect', (dialect) => {
  beforeAll(async () => {
    stage = await createPlaygroundStage({ dialect });
    page = await stage.open('ana');
  });

  afterAll(async () => {
    await stage?.close();
  });

  test('Ana requests to disable a user, and cannot approve it herself', async () => {
    await say(page, "Friday was Kim Lee's last day. Ben, can you decide on my request?");
    await say(page, '/belay disable kim.lee@example.com');
    const form = dialog(page, 'Disable user');
    await form.getByText('Kim Lee').waitFor();
    await form.getByText('kim.lee@example.com').waitFor();
    await form.getByRole('textbox', { name: 'Reason' }).waitFor();
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('TEXTAREA');
    await shoot(page, 'disable-form');
    await press(form, 'Request approval');
    await form.getByText('Please complete this required field.').waitFor();
    await form.getByRole('textbox', { name: 'Reason' }).fill('Left the company on Friday');
    await press(form, 'Request approval');
    await form.waitFor({ state: 'hidden' });

    const request = message(page, /Disable Kim Lee \(/);
    await request.getByText('Left the company on Friday').waitFor();
    await request.getByText('State: enabled').waitFor();
    await request.getByText("✓ Requester isn't this user").waitFor();
    await shoot(page, 'request-with-preview');
    await message(page, 'Request sent to #ops').waitFor();
    await approve(request);
    await message(page, "You can't decide your own request.").waitFor();
    expect(kim()?.is_enabled).toBe(true);
    await shoot(page, 'own-request');
  });

  test('Ben approves: the user is disabled, and the message names the requester and the approver', async () => {
    await become(page, ben);
    const request = message(page, /Disable Kim Lee \(/);
    await press(request, 'Approve');
    const question = dialog(page, 'Approve this request?');
    await question.getByText('Disable Kim Lee (kim.lee@example.com)?').waitFor();
    await shoot(page, 'approve-question');
    expect(kim()?.is_enabled).toBe(true);
    await press(question, 'Approve');

    await request
      .getByText(/Approved by @Ben Carter[\s\S]*Kim Lee's account .* is disabled\./)
      .waitFor();
    expect(await request.getByRole('button').allTextContents()).toEqual(['Re-enable', 'View user']);
    expect(kim()?.is_enabled).toBe(false);
  });

  test('Ana gets a direct message with the outcome of her request', async () => {
    await become(page, ana);
    await page.getByRole('link', { name: 'Belay 1 unread' }).waitFor();
    await goTo(page, 'Belay');
    await message(
      page,
      /Disable Kim Lee[\s\S]*Approved by @Ben Carter[\s\S]*Your request/,
    ).waitFor();
    await shoot(page, 'told');
    await goTo(page, 'ops');
  });

  test('a request is denied with a reason, which Ana sees', async () => {
    await say(page, 'Joana is away until May, so I asked to disable her as well.');
    await ask('disable', 'joana.prado@example.com', 'Disable user', 'On leave until May');
    await become(page, ben);
    const request = message(page, /Disable Joana Prado \(/);
    await request.waitFor();
    // The picture of the README: one request decided, one waiting.
    await shoot(page, 'decided-and-waiting');
    await press(request, 'Deny');
    const form = dialog(page, 'Deny request');
    await form.getByRole('textbox', { name: 'Reason' }).fill('She is on call this week');
    await shoot(page, 'deny-form');
    await press(form, 'Deny');
    await request.getByText(/Denied by @Ben Carter[\s\S]*Nothing was changed\./).waitFor();
    await request.getByRole('blockquote').getByText('She is on call this week').waitFor();
    expect(await request.getByRole('button').allTextContents()).toEqual(['View user']);

    await become(page, ana);
    await goTo(page, 'Belay');
    await message(
      page,
      /Disable Joana Prado[\s\S]*She is on call this week[\s\S]*Your request/,
    ).waitFor();
    await goTo(page, 'ops');
  });

  test('a disabled user can be re-enabled with another request', async () => {
    await press(message(page, /Disable Kim Lee \(/), 'Re-enable');
    const form = dialog(page, 'Re-enable user');
    await form.getByRole('textbox', { name: 'Reason' }).fill('Is back from Monday on');
    await press(form, 'Request approval');
    await form.waitFor({ state: 'hidden' });

    await become(page, ben);
    const request = message(page, /Re-enable Kim Lee \(/);
    await approve(request);
    await request.getByText('is enabled.').waitFor();
    expect(await request.getByRole('button').allTextContents()).toEqual(['View user']);
    expect(kim()?.is_enabled).toBe(true);
  });

  test('a deletion requires the email address, and shows until when it can be canceled', async () => {
    await become(page, ana);
    await say(page, '/belay delete joana.prado@example.com');
    const form = dialog(page, 'Delete user');
    await form.getByText('disabled immediately and deleted after 30 minutes.').waitFor();
    const address = form.getByRole('textbox', { name: 'Email address of this user' });
    await address.fill('kim.lee@example.com');
    await form.getByRole('textbox', { name: 'Reason' }).fill('Asked us to be forgotten');
    await press(form, 'Request approval');
    await form.getByText('Enter exactly joana.prado@example.com.').waitFor();
    await shoot(page, 'delete-wrong-address');
    await address.fill('joana.prado@example.com');
    await press(form, 'Request approval');
    await form.waitFor({ state: 'hidden' });

    await become(page, ben);
    const request = message(page, /Delete Joana Prado \(/);
    await press(request, 'Approve');
    const question = dialog(page, 'Approve this request?');
    await question.getByText("After that it can't be undone.").waitFor();
    await shoot(page, 'delete-question');
    await press(question, 'Approve');
    await request
      .getByText(/is disabled\. The account will be deleted .* unless canceled\./)
      .waitFor();
    expect(await request.getByRole('button').allTextContents()).toEqual([
      'Cancel deletion',
      'View user',
    ]);
    expect(userOf('joana.prado@example.com')?.is_enabled).toBe(false);
    await shoot(page, 'delete-scheduled');
    await page.setViewportSize(phone);
    await request.scrollIntoViewIfNeeded();
    await shoot(page, 'phone-delete-scheduled');
    await page.setViewportSize(desktop);
  });

  test('Ana cancels the deletion in her direct message, and both messages show it', async () => {
    await become(page, ana);
    await goTo(page, 'Belay');
    const copy = message(page, /Delete Joana Prado[\s\S]*Your request/);
    await press(copy, 'Cancel deletion');
    await press(dialog(page, 'Cancel deletion?'), 'Cancel deletion');
    await copy.getByText(/Canceled by @Ana Sousa [\s\S]*is enabled again\./).waitFor();
    expect(await copy.getByRole('button').allTextContents()).toEqual(['View user']);
    await goTo(page, 'ops');
    const request = message(page, /Delete Joana Prado \(/);
    await request.getByText('is enabled again.').waitFor();
    await shoot(page, 'kept');
    expect(userOf('joana.prado@example.com')?.is_enabled).toBe(true);
  });

  test('Ben sees in the audit log who requested and canceled the deletion, and what Belay did', async () => {
    await become(page, ben);
    await say(page, '/belay audit user:joana');
    const log = message(page, /^.*Audit log · newest first.*Filters: user “joana”/);
    for (const line of [
      /@Ana Sousa requested approval to delete Joana Prado/,
      /@Ben Carter approved the request to delete Joana Prado/,
      /Belay started disabling Joana Prado/,
      /disabled Joana Prado.* and scheduled the deletion/,
      /@Ana Sousa requested cancellation of the deletion of Joana Prado/,
      /started canceling the deletion of Joana Prado/,
      /Belay canceled the deletion of Joana Prado/,
    ]) {
      await log.getByText(line).waitFor();
    }
    await shoot(page, 'log');
  });

  test('a rename shows the current name and the new name', async () => {
    await become(page, ana);
    await say(page, '/belay rename kim.lee@example.com');
    const form = dialog(page, 'Rename user');
    const name = form.getByRole('textbox', { name: 'New name' });
    expect(await name.inputValue()).toBe('Kim Lee');
    await name.fill('Kim Lee Park');
    await form.getByRole('textbox', { name: 'Reason' }).fill('Married in June');
    await press(form, 'Request approval');
    await form.waitFor({ state: 'hidden' });

    await become(page, ben);
    const request = message(page, /Rename Kim Lee \(/);
    await approve(request);
    await request.getByText('is now named Kim Lee Park.').waitFor();
    expect(kim()?.full_name).toBe('Kim Lee Park');
    await shoot(page, 'renamed');
  });

  test('no page had an error or sent a request to another host', () => {
    expect(stage.faults).toEqual([]);
  });
});
