import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser, startOAuthWorld } from '../features/installations/oauth-world.ts';
import { OLGA } from '../playground/slack/installations/several.ts';
import { launchChromium } from '../support/browser.ts';
import { expectNothingSideways, shoot } from './seen.ts';
import { addChecker, violationsIn } from './violations.ts';

let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
});

afterAll(async () => {
  await browser?.close();
});

async function expectUsable(page: Page, name: string): Promise<void> {
  await expectNothingSideways(page);
  await shoot(page, `install-${name}`);
  await addChecker(page);
  expect(await violationsIn(page, 'body')).toEqual([]);
}

test('Olga installs Belay on a phone', async () => {
  const world = await startOAuthWorld();
  const { publicUrl, second, slack } = world;
  const page = await browser.newPage({ viewport: { width: 375, height: 667 } });
  const blocked: string[] = [];
  page.on('console', (line) => blocked.push(line.text()));
  await page.goto(`${publicUrl}/slack/install`);
  const button = page.getByRole('link', { name: 'Add to Slack' });
  expect(await button.evaluate((link) => getComputedStyle(link).backgroundColor)).toBe(
    'rgb(74, 21, 75)',
  );
  await expectUsable(page, 'begin');
  const authorizeUrl = (await button.getAttribute('href')) ?? '';
  // Slack's own page, on which Olga allows the app.
  const returned = await slack.install(second.teamId, OLGA, { authorizeUrl });
  await page.goto(returned.href);
  await page.getByRole('heading', { name: 'Belay is installed' }).waitFor();
  await expectUsable(page, 'done');
  expect(blocked).toEqual([]);

  // Reloading doesn't install again.
  await page.reload();
  await page.getByRole('link', { name: 'Start again' }).waitFor();
  await expectUsable(page, 'failed');
  await page.close();
  expect((await openBrowser(world).get(returned.href)).status).toBe(400);
});
