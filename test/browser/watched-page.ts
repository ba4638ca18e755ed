import type { Browser, Page } from 'playwright-core';
import { patienceMs } from '../support/patience.ts';

export type Size = { width: number; height: number };

/** A page in its own context; errors, refused contents and requests elsewhere go to `faults`. */
export async function openWatchedPage(
  browser: Browser,
  { origin, path, size, faults }: { origin: string; path: string; size: Size; faults: string[] },
): Promise<Page> {
  const context = await browser.newContext({ viewport: size });
  context.setDefaultTimeout(patienceMs);
  const page = await context.newPage();
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text());
  });
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(`${origin}/`) && !url.startsWith('data:')) faults.push(url);
  });
  await page.goto(`${origin}${path}`);
  return page;
}
