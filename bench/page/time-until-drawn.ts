import type { Page } from 'playwright-core';

/** When Enter was pressed (0 if it was not) and the message was drawn: Unix times in milliseconds. */
type Times = { enteredAt: number; drawnAt: number };

/**
 * Watches for the next message of the open conversation with this text. Resolves when the page
 * watches, with a function that waits until that message has been painted.
 */
export async function timeUntilDrawn(page: Page, text: string): Promise<() => Promise<Times>> {
  const watching = await page.evaluateHandle((wanted) => {
    const articles = document.querySelector('[role=log]')?.getElementsByTagName('article');
    const last = articles?.[articles.length - 1];
    let enteredAt = 0;
    addEventListener(
      'keydown',
      () => {
        enteredAt = Date.now();
      },
      { once: true, capture: true },
    );
    const times = new Promise<{ enteredAt: number; drawnAt: number }>((resolve) => {
      const observer = new MutationObserver(() => {
        const newest = articles?.[articles.length - 1];
        if (newest === last || !newest?.textContent.includes(wanted)) return;
        observer.disconnect();
        requestAnimationFrame(() => {
          // A message to itself is delivered after the frame has been painted.
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = () => resolve({ enteredAt, drawnAt: Date.now() });
          port2.postMessage(0);
        });
      });
      observer.observe(document.body, { childList: true, subtree: true, characterData: true });
    });
    return { times };
  }, text);
  return () => watching.evaluate(({ times }) => times);
}
