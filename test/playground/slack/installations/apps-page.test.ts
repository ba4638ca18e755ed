import { expect, test } from 'vitest';
import { people } from '../../../../playground/people.ts';
import { sampleOrganization } from '../../../../playground/slack/more-workspaces.ts';
import { MIA, OLGA, type Several, startSeveral } from './several.ts';

const pageFor = async (at: Several, slackUserId: string) =>
  (await fetch(`${at.slack.url}/local/apps?as=${slackUserId}`)).text();

const uninstallAs = (at: Several, slackUserId: string, target: string) =>
  fetch(`${at.slack.url}/local/apps`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ as: slackUserId, target }),
  });

test('the page shows where the app is installed, and only admins can uninstall it there', async () => {
  const at = await startSeveral((app) => {
    app.events = ['app_uninstalled', 'tokens_revoked'];
  });
  const { token } = await at.install(at.second.teamId, OLGA);
  expect(await pageFor(at, MIA)).not.toContain('<button');
  expect(await pageFor(at, OLGA)).toContain('aria-label="Uninstall from Orchard Cloud"');
  expect(await pageFor(at, OLGA)).not.toContain('aria-label="Uninstall from Harbor Ops"');
  expect((await uninstallAs(at, MIA, at.second.teamId)).status).toBe(403);
  expect((await uninstallAs(at, people.cleo, at.second.teamId)).status).toBe(403);
  expect(await at.call('auth.test', token)).toMatchObject({ ok: true });
  expect((await uninstallAs(at, OLGA, at.second.teamId)).status).toBe(303);
  expect(await at.call('auth.test', token)).toMatchObject({ error: 'account_inactive' });
  await expect.poll(() => at.app.deliveries.length).toBe(2);
  expect((await uninstallAs(at, OLGA, at.second.teamId)).status).toBe(303);
});

test('the page shows which workspaces use the installation of their organization', async () => {
  const at = await startSeveral(undefined, { organization: sampleOrganization });
  await at.install('E0GROUP001', OLGA);
  expect(await pageFor(at, MIA)).toMatch(/Orchard Cloud<.*Installed through the organization/);
});

test('an unknown person sees nothing', async () => {
  const at = await startSeveral();
  expect((await fetch(`${at.slack.url}/local/apps?as=U0NOBODY`)).status).toBe(404);
});
