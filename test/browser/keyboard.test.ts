import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPlaygroundStage, type PlaygroundStage, phone } from './playground-stage.ts';
import { brokenWords, dialog, expectNothingSideways, message, messageBox, shoot } from './seen.ts';
import { createStage, type Stage } from './stage.ts';
import type { Size } from './watched-page.ts';

const ACK_TIMEOUT_MS = 30_000;

let stage: Stage;

beforeAll(async () => {
  stage = await createStage(ACK_TIMEOUT_MS);
});

afterAll(async () => {
  await stage?.close();
});

/** The role and accessible name of what has the focus, as a screen reader announces it. */
async function focused(page: Page): Promise<string> {
  // After its last stop, the Tab key leaves the page.
  if ((await page.locator(':focus').count()) === 0) return 'nothing';
  const snapshot = await page.locator(':focus').ariaSnapshot();
  return snapshot.split('\n')[0]?.replace(/^- '?/, '') ?? '';
}

/** Presses the key until what has the focus matches; returns what had it on the way. */
async function pressUntil(page: Page, key: string, wanted: RegExp): Promise<string[]> {
  const stops: string[] = [];
  for (let count = 0; count < 60; count += 1) {
    await page.keyboard.press(key);
    const stop = await focused(page);
    if (wanted.test(stop)) return stops;
    stops.push(stop);
  }
  throw new Error(`no ${wanted} in ${stops.join(', ')}`);
}

async function openForm(size?: Size): Promise<Page> {
  const page = await stage.open('ana', size);
  await messageBox(page).fill('/belay request');
  await messageBox(page).press('Enter');
  await dialog(page, 'Request a change').waitFor();
  return page;
}

test('a link skips to the composer, and a hundred messages are one stop with arrow keys', async () => {
  const page = await stage.open('ana');
  for (let count = 0; count < 100; count += 1) {
    await stage.slack.perform('U0ANA00001', {
      type: 'send',
      channelId: 'C0OPS00001',
      text: '/belay secret',
    });
  }
  await page.getByRole('button', { name: 'Dismiss message' }).nth(99).waitFor();
  await page.keyboard.press('Tab');
  expect(await focused(page)).toContain('link "Skip to message composer"');
  await page.keyboard.press('Enter');
  expect(await focused(page)).toContain('textbox "Message #ops"');

  const back = await pressUntil(page, 'Shift+Tab', /^article/);
  expect(back.filter((stop) => stop.includes('Dismiss message'))).toHaveLength(1);
  const newest = await focused(page);
  await page.keyboard.press('ArrowUp');
  const above = await focused(page);
  expect(above).toMatch(/^article "Belay, .*: Between the two of us\./);
  await page.keyboard.press('Home');
  await page.keyboard.press('Tab');
  expect(await focused(page)).toMatch(/^button "Dismiss message, .*Between the two of us\./);
  expect(await pressUntil(page, 'Tab', /^textbox/)).toEqual([]);
  expect(newest).toContain('article');
});

test('dismissing a message with the keyboard moves the focus to the composer', async () => {
  const page = await stage.open('ana');
  await messageBox(page).press('Shift+Tab');
  expect(await focused(page)).toContain('Dismiss message');
  await page.keyboard.press('Enter');
  await page.locator('textarea:focus').waitFor();
});

test('ArrowUp brings back what was sent, and ArrowDown leaves it again', async () => {
  const page = await stage.open('ana');
  const box = messageBox(page);
  for (const text of ['first', 'second']) {
    await box.fill(text);
    await box.press('Enter');
  }
  await box.press('ArrowUp');
  expect(await box.inputValue()).toBe('second');
  await box.press('ArrowUp');
  expect(await box.inputValue()).toBe('first');
  await box.press('ArrowDown');
  await box.press('ArrowDown');
  expect(await box.inputValue()).toBe('');
});

test.each(['Control+Enter', 'Meta+Enter'])('%s submits a modal', async (keys) => {
  const page = await openForm();
  const form = dialog(page, 'Request a change');
  await form.getByRole('textbox', { name: 'Reason' }).fill('she left');
  await form.getByRole('button', { name: 'Explain' }).focus();
  await page.keyboard.press(keys);
  await form.waitFor({ state: 'hidden' });
});

test('a modal scrolls to a field with an error and focuses it, each time', async () => {
  const page = await openForm({ width: 375, height: 320 });
  const form = dialog(page, 'Request a change');
  for (let count = 0; count < 2; count += 1) {
    await form.getByRole('button', { name: 'Explain' }).focus();
    await page.keyboard.press('Control+Enter');
    await page.getByRole('textbox', { name: 'Reason' }).and(page.locator(':focus')).waitFor();
    const shown = form.getByText('Please complete this required field.');
    const box = await shown.boundingBox();
    expect(box?.y).toBeGreaterThan(0);
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(320);
  }
});

test('a modal opens only in the tab that asked for it', async () => {
  const other = await stage.open('ana');
  const asking = await openForm();
  await messageBox(asking).waitFor();
  await stage.slack.perform('U0BEN00002', {
    type: 'send',
    channelId: 'C0OPS00001',
    text: 'Seen in both tabs',
  });
  await message(other, 'Seen in both tabs').waitFor();
  expect(await other.getByRole('dialog').count()).toBe(0);
});

test('Escape closes the menu of a phone', async () => {
  const page = await stage.open('ana', { width: 375, height: 667 });
  const menu = page.getByRole('button', { name: 'Menu' });
  await menu.press('Enter');
  await page.getByRole('navigation', { name: 'Conversations' }).waitFor();
  await pressUntil(page, 'Tab', /^link "# ops/);
  await page.keyboard.press('Escape');
  await messageBox(page).waitFor();
  expect(await focused(page)).toContain('button "Menu');
});

test('a channel is bold when unread, and has a badge for mentions only', async () => {
  const page = await stage.open('ana');
  const link = (name: string) => page.getByRole('link', { name, exact: true });
  const random = 'C0RANDOM03';
  const say = (text: string) =>
    stage.slack.perform('U0BEN00002', { type: 'send', channelId: random, text });
  await link('# random').waitFor();
  await say('Lunch?');
  await link('# random unread').waitFor();
  await stage.client.chat.postMessage({ channel: random, text: '<@U0ANA00001>' });
  await link('# random 1 unread').waitFor();
  await link('# random 1 unread').click();
  await link('# random').waitFor();
});

test('a table that is too wide for a phone says so, and scrolls with the arrow keys', async () => {
  const page = await stage.open('ana', phone);
  const row = (word: string) =>
    Array.from({ length: 8 }, (_, column) => ({
      type: 'raw_text' as const,
      text: `${word}-${column}`,
    }));
  await stage.client.chat.postMessage({
    channel: 'C0OPS00001',
    text: 'A wide table',
    blocks: [{ type: 'table', rows: [row('Column'), row('unprotected')] }],
  });
  const table = page.getByRole('region', { name: 'Table, scrolls sideways' });
  await table.waitFor();
  expect(await message(page, 'Scroll the table sideways to see all columns.').count()).toBe(1);
  await expectNothingSideways(page);
  expect(await brokenWords(page)).toEqual([]);
  await messageBox(page).focus();
  await pressUntil(page, 'Shift+Tab', /region "Table/);
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => table.evaluate(({ scrollLeft }) => scrollLeft)).toBeGreaterThan(0);
  await shoot(page, 'phone-wide-table');
  await page.close();
});

test('no page had an error or sent a request to another host', () => {
  expect(stage.faults).toEqual([]);
});

test('a user is disabled with the keyboard alone, from the command to the decision', async () => {
  const playground: PlaygroundStage = await createPlaygroundStage();
  try {
    const page = await playground.open('ana');
    const { keyboard } = page;
    await messageBox(page).waitFor();
    await keyboard.press('Tab');
    await keyboard.press('Enter');
    await keyboard.type('/be');
    await keyboard.press('Tab');
    await keyboard.type('disable kim.lee@example.com');
    await keyboard.press('Enter');
    const form = dialog(page, 'Disable user');
    await form.getByRole('textbox', { name: 'Reason' }).and(page.locator(':focus')).waitFor();
    await keyboard.type('Left the company on Friday');
    await keyboard.press('Control+Enter');
    await form.waitFor({ state: 'hidden' });
    await message(page, 'Left the company on Friday').waitFor();

    await pressUntil(page, 'Shift+Tab', /^combobox "You are"/);
    await keyboard.type('Ben');
    await page.waitForURL(/as=U0BEN00002/);
    await message(page, 'Left the company on Friday').waitFor();
    await pressUntil(page, 'Tab', /^article/);
    await pressUntil(page, 'Tab', /^button "Approve/);
    await keyboard.press('Enter');
    await dialog(page, 'Approve this request?').waitFor();
    await keyboard.press('Enter');
    await message(page, /account .*is disabled/).waitFor();
    expect(playground.faults).toEqual([]);
  } finally {
    await playground.close();
  }
});
