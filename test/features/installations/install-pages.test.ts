import PQueue from 'p-queue';
import { expect, it } from 'vitest';
import { OLGA, ROSA } from '../../playground/slack/installations/several.ts';
import { type OAuthWorld, openBrowser, startOAuthWorld } from './oauth-world.ts';

const elevenMinutes = 11 * 60_000;

async function expectNothingInstalled({ db, slack }: OAuthWorld): Promise<void> {
  expect(await db.selectFrom('installation').selectAll().execute()).toEqual([]);
  expect(slack.calls.filter(({ method }) => method === 'oauth.v2.access')).toEqual([]);
}

it('shows a page with one button that loads nothing else and is not cached', async () => {
  const world = await startOAuthWorld();
  const { status, headers, html } = await openBrowser(world).get(
    `${world.publicUrl}/slack/install?utm=x`,
  );
  expect(status).toBe(200);
  expect(html.match(/<a /g)).toHaveLength(1);
  expect(html).toContain('Add to Slack');
  expect(html).toContain('name="viewport"');
  expect(html).toContain('<html lang="en">');
  expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('referrer-policy')).toBe('no-referrer');
  expect(headers.get('set-cookie')).toMatch(
    /^belay-install=[\w-]{43}; Path=\/slack; Max-Age=600; HttpOnly; SameSite=Lax$/,
  );
});

it('refuses a state of another browser, a changed one and one that is too old', async () => {
  const world = await startOAuthWorld();
  const { slack, second, wait } = world;
  const browser = openBrowser(world);
  const returned = async () =>
    slack.install(second.teamId, OLGA, { authorizeUrl: await browser.begin() });

  const elsewhere = await openBrowser(world).get((await returned()).href);
  expect(elsewhere.status).toBe(400);
  expect(elsewhere.html).toContain('wasn’t started in this browser');

  const changed = await returned();
  const [expiresAt, signature] = (changed.searchParams.get('state') ?? '').split('.');
  changed.searchParams.set('state', `${Number(expiresAt) + 1000}.${signature}`);
  expect((await browser.get(changed.href)).html).toContain('wasn’t started in this browser');

  const late = await returned();
  wait(elevenMinutes);
  const expired = await browser.get(late.href);
  expect(expired.status).toBe(400);
  expect(expired.html).toContain('took too long');
  expect(expired.html).toContain('href="/slack/install"');
  await expectNothingInstalled(world);
});

it('uses a state once', async () => {
  const world = await startOAuthWorld();
  const { slack, second } = world;
  const browser = openBrowser(world);
  const authorizeUrl = await browser.begin();
  const returned = await slack.install(second.teamId, OLGA, { authorizeUrl });
  expect((await browser.get(returned.href)).status).toBe(200);
  expect((await browser.get(returned.href)).status).toBe(400);
});

it('uses a state once, also for a browser that keeps its cookie', async () => {
  const world = await startOAuthWorld();
  const { publicUrl, slack } = world;
  const begun = await fetch(`${publicUrl}/slack/install`);
  const cookie = begun.headers.get('set-cookie')?.split(';')[0] ?? '';
  const state = /state=([^"&]+)/.exec(await begun.text())?.[1];
  const attempts: string[] = [];
  for (let count = 0; count < 31; count += 1) {
    const url = `${publicUrl}/slack/oauth_redirect?code=guessed${count}&state=${state}`;
    attempts.push(await (await fetch(url, { headers: { cookie } })).text());
  }
  expect(attempts[0]).toContain('Slack didn’t complete the installation');
  for (const html of attempts.slice(1)) expect(html).toContain('Start again here');
  expect(slack.calls.filter(({ method }) => method === 'oauth.v2.access')).toHaveLength(1);
  const page = await openBrowser(world).install(world.second.teamId, OLGA);
  expect(page.status).toBe(200);
});

it('finishes what was begun in two tabs of a browser', async () => {
  const world = await startOAuthWorld();
  const { slack, second, third, wait } = world;
  const browser = openBrowser(world);
  const authorizeUrl = await browser.begin();
  wait(1000);
  const inOtherTab = { authorizeUrl: await browser.begin() };
  const returned = await slack.install(second.teamId, OLGA, { authorizeUrl });
  const inOther = await slack.install(third.teamId, ROSA, inOtherTab);
  expect((await browser.get(returned.href)).status).toBe(200);
  expect((await browser.get(inOther.href)).status).toBe(200);
});

it('says that the installation was canceled', async () => {
  const world = await startOAuthWorld();
  const { slack, second } = world;
  const browser = openBrowser(world);
  const authorizeUrl = await browser.begin();
  const returned = await slack.install(second.teamId, OLGA, { authorizeUrl, decision: 'cancel' });
  expect((await browser.get(returned.href)).html).toContain('The installation was canceled');
  await expectNothingInstalled(world);
});

it.each([
  ['refuses the code', 'invalid_code', 400, 'Slack didn’t complete the installation'],
  ['fails', { status: 500 }, 502, 'Belay couldn’t complete the installation'],
] as const)('says so if Slack %s', async (_, fault, status, words) => {
  const world = await startOAuthWorld();
  const { slack, second, db, logged } = world;
  slack.failNext('oauth.v2.access', fault);
  const page = await openBrowser(world).install(second.teamId, OLGA);
  expect(page.status).toBe(status);
  expect(page.html).toContain(words);
  expect(await db.selectFrom('installation').selectAll().execute()).toEqual([]);
  const reference = /Reference ([0-9a-f]{8})/.exec(page.html)?.[1];
  if (status === 502) expect(logged.some((line) => line.includes(`${reference}`))).toBe(true);
});

it('refuses an installation with another Slack app', async () => {
  const world = await startOAuthWorld();
  const { second, third, db } = world;
  await openBrowser(world).install(second.teamId, OLGA);
  await db.updateTable('installation').set({ app_id: 'A0OTHER' }).execute();
  const page = await openBrowser(world).install(third.teamId, ROSA);
  expect(page.status).toBe(409);
  expect(page.html).toContain('Belay uses a different Slack app');
  expect(await db.selectFrom('installation').select('team_id').execute()).toHaveLength(1);
});

it('answers GET only', async () => {
  const { publicUrl } = await startOAuthWorld();
  const posted = await fetch(`${publicUrl}/slack/install`, { method: 'POST', body: 'x=1' });
  expect(posted.status).toBe(405);
});

it('installs while a stranger sends 1,000 made-up codes', async () => {
  const world = await startOAuthWorld();
  const { publicUrl, slack } = world;
  const guess = async () => {
    const stranger = openBrowser({ ...world, headers: { 'x-forwarded-for': '203.0.113.7' } });
    const state = new URL(await stranger.begin()).searchParams.get('state');
    return (await stranger.get(`${publicUrl}/slack/oauth_redirect?code=guess&state=${state}`))
      .status;
  };
  const statuses: number[] = [];
  const firstRefused = Promise.withResolvers<void>();
  const flood = new PQueue({ concurrency: 40 });
  const flooded = flood.addAll(
    Array.from({ length: 1000 }, () => async () => {
      statuses.push(await guess());
      if (statuses.at(-1) === 503) firstRefused.resolve();
    }),
  );
  await firstRefused.promise;
  const page = await openBrowser(world).install(world.second.teamId, OLGA);
  expect(page.status).toBe(200);
  expect(statuses.length).toBeLessThan(1000);
  await flooded;
  expect(statuses).toHaveLength(1000);
  expect(new Set(statuses)).toEqual(new Set([400, 503]));
  const exchanged = slack.calls.filter(({ method }) => method === 'oauth.v2.access');
  expect(exchanged).toHaveLength(statuses.filter((status) => status === 400).length + 1);
  const later = openBrowser({ ...world, headers: { 'x-forwarded-for': '203.0.113.7' } });
  expect((await later.install(world.third.teamId, ROSA)).status).toBe(200);
});
