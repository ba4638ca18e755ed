import { expect, onTestFinished, test } from 'vitest';
import { actAs } from '../../playground/act-as.ts';
import { misusedTokens } from '../../playground/slack/installations/misuses.ts';
import { sampleOrganization } from '../../playground/slack/more-workspaces.ts';
import { startPlayground } from '../../playground/start-playground.ts';
import { createLogger } from '../../src/logger.ts';
import { MIA, OLGA } from '../playground/slack/installations/several.ts';
import { launchChromium } from '../support/browser.ts';
import { patienceMs } from '../support/patience.ts';
import { builtPage } from './built-page.ts';

test('an admin installs Belay in another workspace, from the page and back', async () => {
  const playground = await startPlayground({
    workspaces: 3,
    organization: sampleOrganization,
    page: await builtPage(),
    log: createLogger('silent'),
  });
  const browser = await launchChromium();
  onTestFinished(async () => {
    await browser.close();
    await playground.stop();
  });
  const page = await browser.newPage();
  page.setDefaultTimeout(patienceMs);
  await page.goto(`${playground.slack.url}/?as=${OLGA}`);
  await page.getByRole('link', { name: 'Manage apps' }).click();
  await page.getByRole('link', { name: 'Install Belay' }).click();
  await page.getByRole('link', { name: 'Add to Slack' }).click();
  await page.getByLabel('Workspace and person').selectOption(`T0W0000020/${OLGA}`);
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.getByRole('heading', { name: 'Belay is installed' }).waitFor();

  const mia = actAs(playground.slack.workspace('T0W0000020'), MIA);
  await mia.send('ops', '/belay alerts');
  await mia.seeMessage("Belay isn't connected");
  expect(misusedTokens(playground.slack.calls)).toEqual([]);
});
