import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ListeningServer, listen } from '../../../playground/listen.ts';
import { createPage } from '../../../playground/web/serve-page.ts';

let server: ListeningServer;

beforeAll(async () => {
  server = await listen(createServer(await createPage({ openAs: 'U0ANA' })), 0);
});

afterAll(() => server.close());

const get = (path: string) => fetch(`${server.baseUrl}${path}`, { redirect: 'manual' });

test('a URL without a person redirects to one', async () => {
  const response = await get('/');
  expect(response.status).toBe(302);
  expect(response.headers.get('location')).toBe('/?as=U0ANA');
});

test('the page loads everything from this server, with a matching content security policy', async () => {
  const response = await get('/?as=U0ANA');
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(response.headers.get('content-security-policy')).toContain("default-src 'self'");
  const html = await response.text();
  const paths = [...html.matchAll(/(?:src|href)="(?!data:)([^"]+)"/g)].map(([, path]) => path);
  expect(paths).toHaveLength(2);
  for (const path of paths) expect((await get(path ?? '')).status).toBe(200);
});

test('other paths are not found, and other methods are refused', async () => {
  expect((await get('/main.tsx')).status).toBe(404);
  expect((await fetch(`${server.baseUrl}/?as=U0ANA`, { method: 'POST' })).status).toBe(405);
});
