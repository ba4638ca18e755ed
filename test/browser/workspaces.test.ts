import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { people } from '../../playground/people.ts';
import { sampleOrganization } from '../../playground/slack/more-workspaces.ts';
import {
  MIA,
  OLGA,
  type Several,
  startSeveral,
} from '../playground/slack/installations/several.ts';
import { launchChromium } from '../support/browser.ts';
import { builtPage } from './built-page.ts';
import { phone } from './playground-stage.ts';
import { expectNothingSideways, shoot } from './seen.ts';
import { addChecker, violationsIn } from './violations.ts';
import { openWatchedPage, type Size } from './watched-page.ts';

let browser: Browser;
let at: Several;
let faults: string[];

beforeAll(async () => {
  browser = await launchChromium();
});

afterAll(async () => {
  await browser?.close();
});

beforeEach(async () => {
  faults = [];
  at = await startSeveral(undefined, { organization: sampleOrganization, page: await builtPage() });
});

const open = (path: string, size: Size = { width: 1100, height: 800 }): Promise<Page> =>
  openWatchedPage(browser, { origin: at.slack.url, path, size, faults });

test.each([
  ['desktop', { width: 1100, height: 800 }],
  ['phone', phone],
])('people switch between workspaces (%s)', async (name, size) => {
  const page = await open(`/?as=${people.ana}#ops`, size);
  await page.getByRole('textbox', { name: 'Message #ops' }).fill('from Harbor');
  await page.keyboard.press('Enter');
  await page.getByRole('article').getByText('from Harbor').waitFor();
  const workspace = page.getByRole('combobox', { name: 'Workspace' });
  await workspace.selectOption('Orchard Cloud');
  await page.getByRole('combobox', { name: 'You are' }).getByText('Mia Rossi').waitFor({
    state: 'attached',
  });
  expect(new URL(page.url()).searchParams.get('as')).toBe(MIA);
  expect(await page.getByRole('article').count()).toBe(0);
  await expectNothingSideways(page);
  await shoot(page, `workspaces-${name}`);
  await addChecker(page);
  expect(await violationsIn(page, 'body')).toEqual([]);
  expect(faults).toEqual([]);
});

test('a person installs the app on the OAuth page, and an admin uninstalls it', async () => {
  const query = new URLSearchParams({
    client_id: at.config.clientId,
    scope: 'commands,chat:write',
    state: 'abc',
    redirect_uri: `${at.slack.url}/installed`,
    team: at.second.teamId,
  });
  at.config.redirectUrls = [at.slack.url];
  const page = await open(`/oauth/v2/authorize?${query}`);
  await page.getByRole('heading', { name: 'Install Belay' }).waitFor();
  await addChecker(page);
  expect(await violationsIn(page, 'body')).toEqual([]);
  await shoot(page, 'authorize');
  await page.getByLabel('Workspace and person').selectOption(`${at.second.teamId}/${OLGA}`);
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.waitForURL('**/installed?**');
  const code = new URL(page.url()).searchParams.get('code') ?? '';
  const redirect_uri = `${at.slack.url}/installed`;
  expect(await at.access({ code, redirect_uri })).toMatchObject({ ok: true });

  await page.goto(`${at.slack.url}/?as=${MIA}`);
  await page.getByRole('link', { name: 'Manage apps' }).click();
  const row = page.getByRole('row', { name: 'Orchard Cloud' });
  await row.getByText('only admins can uninstall').waitFor();
  await page.goto(`${at.slack.url}/?as=${OLGA}`);
  await page.getByRole('link', { name: 'Manage apps' }).click();
  await addChecker(page);
  expect(await violationsIn(page, 'body')).toEqual([]);
  await shoot(page, 'manage-apps');
  await page.getByRole('button', { name: 'Uninstall from Orchard Cloud' }).click();
  await row.getByText('Not installed').waitFor();
});
