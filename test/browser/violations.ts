import axe from 'axe-core';
import type { Page } from 'playwright-core';

declare global {
  interface Window {
    axe: typeof axe;
  }
}

/** Loads axe into the page. Messages out of sight are laid out too, because axe skips the others. */
export async function addChecker(page: Page): Promise<void> {
  await page.evaluate(axe.source);
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('.message { content-visibility: visible !important }');
    document.adoptedStyleSheets = [sheet];
  });
}

/** The serious and critical rules that the element breaks. */
export async function violationsIn(page: Page, selector: string): Promise<string[]> {
  const { violations } = await page.evaluate(
    // Describing each element that passes takes most of the time on a page with many messages.
    (within) => window.axe.run(within, { resultTypes: ['violations'] }),
    selector,
  );
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}
