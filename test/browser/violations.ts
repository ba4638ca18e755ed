import axe from 'axe-core';
import type { Page } from 'playwright-core';

declare global {
  interface Window {
    axe: typeof axe;
  }
}

/** Loads the checker into the page, which passes over what the browser does not lay out. */
export async function addChecker(page: Page): Promise<void> {
  await page.evaluate(axe.source);
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('.message { content-visibility: visible !important }');
    document.adoptedStyleSheets = [sheet];
  });
}

/** The rules that the element breaks, the less serious ones left out. */
export async function violationsIn(page: Page, selector: string): Promise<string[]> {
  const { violations } = await page.evaluate((within) => window.axe.run(within), selector);
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}
