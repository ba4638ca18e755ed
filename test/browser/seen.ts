import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/** The page as a person finds their way in it: by roles and visible text alone. */
export function messageBox(page: Page): Locator {
  return page.getByRole('textbox', { name: 'Message #ops' });
}

/** Sends a message, once no dialog is open that would get the keys. */
export async function say(page: Page, text: string): Promise<void> {
  await page.locator('dialog[open]').first().waitFor({ state: 'detached' });
  await messageBox(page).fill(text);
  await messageBox(page).press('Enter');
}

/** The newest message of the conversation in sight that contains `text`. */
export function message(page: Page, text: string | RegExp): Locator {
  return page.getByRole('log').getByRole('article').filter({ hasText: text }).last();
}

export function dialog(page: Page, title: string): Locator {
  return page.getByRole('dialog', { name: title, exact: true });
}

/** Presses the button with exactly this text, whatever longer name a screen reader gives it. */
export async function press(where: Locator, text: string): Promise<void> {
  await where
    .getByRole('button')
    .filter({ hasText: exactly(text) })
    .first()
    .click();
}

export function button(where: Locator, text: string): Locator {
  return where.getByRole('button').filter({ hasText: exactly(text) });
}

export async function become(page: Page, person: string): Promise<void> {
  await page.getByRole('combobox', { name: 'You are' }).selectOption({ label: person });
}

export async function goTo(page: Page, conversation: string): Promise<void> {
  const conversations = page.getByRole('navigation', { name: 'Conversations' });
  await conversations.getByRole('link', { name: conversation }).click();
}

/** Of the page, of the conversation and of any open dialog. */
export async function expectNothingSideways(page: Page): Promise<void> {
  const wide = await page.evaluate(() =>
    [...document.querySelectorAll('html, body, main, [role=log], dialog[open], dialog[open] *')]
      .filter((element) => element.scrollWidth > element.clientWidth && element.clientWidth > 0)
      // A long text in a field of one line moves within the field.
      .filter((element) => !(element instanceof HTMLInputElement))
      .filter((element) => getComputedStyle(element).overflowX !== 'visible')
      .map((element) => `${element.tagName} ${element.className}`),
  );
  expect(wide).toEqual([]);
  const pageWidth = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(pageWidth).toBe(page.viewportSize()?.width);
}

/** Words in table cells that are broken across lines. */
export function brokenWords(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('th, td')].flatMap((cell) => {
      const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
      const broken: string[] = [];
      for (let node = texts.nextNode(); node; node = texts.nextNode()) {
        // After a hyphen or a slash, a line may end.
        for (const { 0: word, index } of (node.textContent ?? '').matchAll(/[\p{L}\p{N}_]+/gu)) {
          const range = document.createRange();
          range.setStart(node, index);
          range.setEnd(node, index + word.length);
          if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1)
            broken.push(word);
        }
      }
      return broken;
    }),
  );
}

/** Expects no sideways scrolling, and takes a screenshot. */
export async function expectFitting(page: Page, picture: string): Promise<void> {
  await expectNothingSideways(page);
  await shoot(page, picture);
}

const folder = process.env.SCREENSHOTS;

/** Writes a picture to look at into the folder that `SCREENSHOTS` names, if it names one. */
export async function shoot(page: Page, name: string): Promise<void> {
  if (!folder) return;
  // Out of the way: the element under the pointer is drawn in another color.
  await page.mouse.move(0, 0);
  await page.screenshot({ path: join(folder, `${name}.png`) });
}

function exactly(text: string): RegExp {
  return new RegExp(`^${text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`);
}
