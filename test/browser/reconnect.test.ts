import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startLocalSlack } from '../../playground/slack/local-slack.ts';
import { createWorkspace } from '../../playground/slack/workspace.ts';
import { launchChromium } from '../support/browser.ts';
import { builtPage } from './built-page.ts';

let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
});

afterAll(async () => {
  await browser?.close();
});

test('a page that loses its connection says so, and reconnects', async () => {
  const workspace = createWorkspace();
  const page = await builtPage();
  const before = await startLocalSlack({ workspace, page });
  const opened = await browser.newPage();
  await opened.goto(before.url);
  const box = opened.getByRole('textbox', { name: 'Message #ops' });
  await box.fill('still here');

  await before.close();
  await opened.getByText('Connection lost').waitFor();
  await box.press('Enter');
  await opened.getByText("Couldn't reach the playground.").waitFor();
  expect(await box.inputValue()).toBe('still here');

  const after = await startLocalSlack({ workspace, page, port: Number(new URL(before.url).port) });
  try {
    await opened.getByText('Connection lost').waitFor({ state: 'hidden' });
    await box.press('Enter');
    await opened.getByRole('article').getByText('still here').waitFor();
  } finally {
    await after.close();
  }
});
