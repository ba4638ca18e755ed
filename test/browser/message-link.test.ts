import { afterEach, beforeEach, expect, test } from 'vitest';
import { actAs } from '../../playground/act-as.ts';
import { people } from '../../playground/people.ts';
import { ask } from '../support/ask.ts';
import {
  createPlaygroundStage,
  desktopAndPhone,
  type PlaygroundStage,
} from './playground-stage.ts';
import { message, say, shoot } from './seen.ts';

let stage: PlaygroundStage;
beforeEach(async () => {
  stage = await createPlaygroundStage();
});
afterEach(() => stage?.close());

test.each(desktopAndPhone)(
  'on a %s, a link among 500 messages leads to its message, and marks it for a moment',
  async (name, size) => {
    const ana = actAs(stage.slack, people.ana);
    const sendMany = async (count: number) => {
      for (let number = 1; number <= count; number += 1) {
        await ana.send('ops', `Message ${number}${'\nand more'.repeat(number % 7)}`);
      }
    };
    await sendMany(250);
    await ask(ana, '/belay disable joana.prado@example.com');
    await sendMany(250);
    await ana.send('ops', 'The last message');

    const page = await stage.open('ben', size);
    await message(page, 'The last message').waitFor();
    const request = message(page, /Requested by @Ana/);
    const isInSight = () =>
      request.evaluate((article) => {
        const { top, bottom } = article.getBoundingClientRect();
        return top >= 0 && bottom <= innerHeight && article === document.activeElement;
      });
    const isMarked = () => request.evaluate(({ dataset }) => dataset.marked === 'true');
    await say(page, '/belay requests');
    const link = message(page, '1 open request').getByRole('link', { name: 'View request' });
    await link.waitFor();
    expect(await isInSight()).toBe(false);
    await page.clock.install();
    await link.click();
    await expect.poll(isInSight).toBe(true);
    expect(await isMarked()).toBe(true);
    await shoot(page, `${name}-message-link`);
    await page.clock.fastForward(5000);
    await expect.poll(isMarked).toBe(false);
    expect(await isInSight()).toBe(true);

    await link.scrollIntoViewIfNeeded();
    await link.focus();
    expect(await isInSight()).toBe(false);
    await page.keyboard.press('Enter');
    await expect.poll(isInSight).toBe(true);
    expect(await isMarked()).toBe(true);

    // From another conversation, and into the address of a new tab.
    await ana.send('ops', 'One more message');
    const href = (await link.getAttribute('href')) ?? '';
    await page.evaluate(() => window.location.assign('#random'));
    await page.getByRole('heading', { name: '#random' }).waitFor();
    await page.evaluate((to) => window.location.assign(to), href);
    await expect.poll(isInSight).toBe(true);
    expect(new URL(page.url()).hash).toBe('#ops');
    await page.close();
    expect(stage.faults).toEqual([]);
  },
);
