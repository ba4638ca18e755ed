import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findPorts } from '../../playground/free-ports.ts';
import { launchChromium } from '../support/browser.ts';
import { openSetup } from '../support/set-up.ts';
import { readLink } from '../support/token-page.ts';
import { startWorld } from '../support/world.ts';
import { expectNothingSideways, shoot } from './seen.ts';
import { addChecker, violationsIn } from './violations.ts';

let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
});

afterAll(async () => {
  await browser?.close();
});

test.each([
  ['desktop', 1280],
  ['phone', 375],
])('an admin enters a token on the page (%s)', async (name, width) => {
  const port = await findPorts(1);
  const world = await startWorld({
    env: { BELAY_PUBLIC_URL: `http://127.0.0.1:${port}`, PORT: String(port) },
  });
  const { cleo, portal, service } = world;
  const href = await readLink(cleo, await openSetup(cleo));
  const page = await browser.newPage({ viewport: { width, height: 667 } });
  const blocked: string[] = [];
  page.on('console', (line) => blocked.push(line.text()));
  await page.goto(href);
  const field = page.getByLabel('API token');
  await field.waitFor();
  await expectNothingSideways(page);
  await shoot(page, `token-${name}`);
  await addChecker(page);
  expect(await violationsIn(page, 'body')).toEqual([]);
  await field.fill(service.issueToken(portal.id));
  await page.getByRole('button', { name: 'Send token' }).click();
  await page.getByRole('heading', { name: 'Token received' }).waitFor();
  await expectNothingSideways(page);
  await shoot(page, `token-received-${name}`);
  await page.goto(href);
  await page.getByRole('heading', { name: 'This link doesn’t work' }).waitFor();
  await shoot(page, `token-used-${name}`);
  // Chromium reports the status of the last page, and nothing that the policy has blocked.
  expect(blocked.filter((line) => !line.includes('410'))).toEqual([]);
  await page.close();
});
