import { randomBytes } from 'node:crypto';
import PQueue from 'p-queue';
import { afterEach, expect, test } from 'vitest';
import { findPorts } from '../../../playground/free-ports.ts';
import type { OpenView } from '../../../playground/slack/protocol.ts';
import { shareWorldWithDatabase } from '../../requests/world-with-database.ts';
import { ask, buttonTexts, heardBack, messagesOf, seeAgain } from '../../support/ask.ts';
import { finishSetup, openSetup } from '../../support/set-up.ts';
import { openPage, readLink } from '../../support/token-page.ts';

const minuteMs = 60_000;
let aheadMs = 0;
const port = await findPorts(1);
const publicUrl = `http://127.0.0.1:${port}`;
const { world, db } = shareWorldWithDatabase({
  clock: () => new Date(Date.now() + aheadMs),
  env: { BELAY_PUBLIC_URL: publicUrl, PORT: String(port) },
});
afterEach(() => {
  aheadMs = 0;
});

/** Opens the setup form as Cleo and asks for a link; resolves to the form and the link. */
async function requestLink(): Promise<{ form: OpenView; href: string }> {
  const { cleo } = world();
  const form = await openSetup(cleo);
  return { form, href: await readLink(cleo, form) };
}

const stored = () => db().selectFrom('token_page').selectAll().execute();

test('a token that was entered on the page is saved with the form, and appears nowhere else', async () => {
  const { ana, ben, cleo, portal, service, logged } = world();
  const request = await ask(ana, '/belay disable kim.lee@example.com');
  const token = service.issueToken(portal.id);
  const { form, href } = await requestLink();
  const page = await openPage(href);
  expect(page.status).toBe(200);
  for (const text of ['Harbor', 'Cleo', 'type="password"']) expect(page.html).toContain(text);
  const received = await page.send(token);
  expect(received.status).toBe(200);
  expect(received.html).toContain('Token received');
  expect(received.html).not.toContain(token);
  await cleo.seeMessage('Belay received the API token');
  expect(JSON.stringify(await stored())).not.toContain(token);

  await cleo.submit(form, {});
  await cleo.close(await finishSetup(cleo));
  expect(await stored()).toEqual([]);
  service.revokeToken(portal.id, portal.token);
  await ben.press(await seeAgain(ben, request, 'Waiting for approval.'), 'Approve');
  await seeAgain(ben, request, 'is disabled.');
  await heardBack(ana);
  expect(service.requests.at(-1)?.headers.authorization).toBe(`Bearer ${token}`);
  const [, secret = ''] = href.split('link=');
  expect(logged.filter((line) => line.includes(token) || line.includes(secret))).toEqual([]);
  expect(JSON.stringify(messagesOf(cleo))).not.toContain(token);
});

test('the form can be opened again with the token that was received', async () => {
  const { cleo, portal, service } = world();
  const { form, href } = await requestLink();
  await cleo.close(form);
  await (await openPage(href)).send(service.issueToken(portal.id));
  const answer = await cleo.seeMessage('Belay received the API token');
  expect(buttonTexts(answer)).toEqual(['Edit connection']);
  await cleo.press(answer, 'Edit connection');
  const again = await cleo.seeDialog('*Token received* on the web page');
  await cleo.submit(again, {});
  const saved = await finishSetup(cleo);
  expect(JSON.stringify(saved.blocks)).toContain('The API token was replaced.');
  await cleo.close(saved);
});

test('a link works once, for 10 minutes, and not after a newer one', async () => {
  const { cleo, portal, service } = world();
  const token = service.issueToken(portal.id);
  const first = await requestLink();
  await cleo.close(first.form);
  const { form, href } = await requestLink();
  await cleo.close(form);
  expect((await openPage(first.href)).status).toBe(410);
  const page = await openPage(href);
  expect((await page.send(token)).status).toBe(200);
  const twice = await page.send(token);
  expect(twice.status).toBe(410);
  expect(twice.html).toContain('This link doesn’t work');
  expect((await openPage(href)).status).toBe(410);

  const late = await requestLink();
  await cleo.close(late.form);
  const expired = await openPage(late.href);
  aheadMs += 11 * minuteMs;
  expect((await openPage(late.href)).status).toBe(410);
  expect((await expired.send(token)).status).toBe(410);
  expect((await openPage(`${publicUrl}/setup/token?link=guess`)).status).toBe(410);
});

test('the page refuses forms of other sites, and takes nothing but one token', async () => {
  const { cleo, portal, service } = world();
  const token = service.issueToken(portal.id);
  const { form, href } = await requestLink();
  await cleo.close(form);
  const page = await openPage(href);
  const foreign = [
    { headers: { 'sec-fetch-site': 'cross-site' } },
    { headers: { cookie: '' } },
    { fields: { nonce: 'x'.repeat(43) } },
  ];
  for (const options of foreign) expect((await page.send(token, options)).status).toBe(403);
  for (const bad of ['', 'two words', 'x'.repeat(3001)]) {
    expect((await page.send(bad)).status).toBe(400);
  }
  expect((await page.send('x'.repeat(20_000))).status).toBe(413);
  expect((await fetch(href, { method: 'PUT' })).status).toBe(405);
  expect((await page.send(token)).status).toBe(200);
});

test('the page is not cached, framed or named to other sites', async () => {
  const { cleo } = world();
  const { form, href } = await requestLink();
  await cleo.close(form);
  const { headers } = await openPage(href);
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('referrer-policy')).toBe('no-referrer');
  const policy = headers.get('content-security-policy');
  expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-/);
  expect(policy).toContain("form-action 'self'; frame-ancestors 'none'");
  expect(headers.get('set-cookie')).toMatch(/HttpOnly; SameSite=Strict$/);
});

test('a link works while a stranger opens 1,000 made-up ones', async () => {
  const { cleo, portal, service } = world();
  const { form, href } = await requestLink();
  await cleo.close(form);
  const statuses: number[] = [];
  const underWay = Promise.withResolvers<void>();
  const flood = new PQueue({ concurrency: 50 });
  const flooded = flood.addAll(
    Array.from({ length: 1000 }, () => async () => {
      const link = randomBytes(32).toString('base64url');
      statuses.push((await fetch(`${publicUrl}/setup/token?link=${link}`)).status);
      if (statuses.length === 200) underWay.resolve();
    }),
  );
  await underWay.promise;
  const opened = await openPage(href);
  expect(opened.status).toBe(200);
  await flooded;
  expect(new Set(statuses)).toEqual(new Set([410]));
  expect((await opened.send(service.issueToken(portal.id))).status).toBe(200);
});

test('a made-up link is refused without a statement', async () => {
  const { cleo } = world();
  const { form, href } = await requestLink();
  await cleo.close(form);
  const cookie = `belay-token-form=${'n'.repeat(43)}`;
  const open = (link: string, init: RequestInit = {}) =>
    fetch(`${publicUrl}/setup/token?link=${link}`, { signal: AbortSignal.timeout(5000), ...init });
  const link = href.split('link=')[1] ?? '';
  // The embedded database has one connection, which this transaction occupies.
  await db()
    .transaction()
    .execute(async () => {
      for (const madeUp of ['x'.repeat(43), link.slice(0, -1), link.slice(1)]) {
        expect((await open(madeUp)).status).toBe(410);
        const body = new URLSearchParams({ link: madeUp, nonce: 'n'.repeat(43), token: 'x' });
        expect((await open('', { method: 'POST', headers: { cookie }, body })).status).toBe(410);
      }
    });
  expect((await openPage(href)).status).toBe(200);
});

test('a workspace uses one link at a time, so it can keep no other from the database', async () => {
  const { cleo, portal, service } = world();
  const { form, href } = await requestLink();
  await cleo.close(form);
  const page = await openPage(href);
  const sent = await db()
    .transaction()
    .execute(async (trx) => {
      await trx.selectFrom('token_page').select('id').forUpdate().execute();
      const both = Array.from({ length: 2 }, () => page.send(service.issueToken(portal.id)));
      expect((await Promise.race(both)).status).toBe(503);
      return both;
    });
  const statuses = (await Promise.all(sent)).map(({ status }) => status);
  expect(statuses.sort()).toEqual([200, 503]);
});

test('only an admin gets a link', async () => {
  const { cleo, slack } = world();
  const form = await openSetup(cleo);
  const before = await stored();
  slack.setPerson(cleo.slackUserId, { isAdmin: false });
  await cleo.press(form, 'Get link');
  await cleo.seeDialog('Only admins can set up Belay.');
  expect(await stored()).toEqual(before);
});
