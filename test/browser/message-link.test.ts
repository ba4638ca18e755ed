import { afterAll, beforeAll, expect, test } from 'vitest';
import { actAs } from '../../playground/act-as.ts';
import { people } from '../../playground/people.ts';
import { ask } from '../support/ask.ts';
import { createPlaygroundStage, type PlaygroundStage } from './playground-stage.ts';
import { goTo, message, say, shoot } from './seen.ts';

let stage: PlaygroundStage;
beforeAll(async () => {
  stage = await createPlaygroundStage();
});
afterAll(() => stage?.close());

test('a link to a message leads to that message, again and again', async () => {
  const ana = actAs(stage.slack, people.ana);
  await ana.send('ops', 'Good morning');
  await ask(ana, '/belay disable joana.prado@example.com');
  for (let number = 1; number <= 60; number += 1) await ana.send('ops', `Message ${number}`);

  const page = await stage.open('ben');
  await message(page, 'Message 60').waitFor();
  const request = message(page, 'Waiting for');
  const isInSight = () =>
    request.evaluate((article) => {
      const { top, bottom } = article.getBoundingClientRect();
      return top >= 0 && bottom <= innerHeight && article === document.activeElement;
    });
  await say(page, '/belay requests');
  const link = message(page, '1 open request').getByRole('link', { name: 'View request' });
  await link.waitFor();
  expect(await isInSight()).toBe(false);
  await link.click();
  await expect.poll(isInSight).toBe(true);
  await shoot(page, 'message-link');

  await link.scrollIntoViewIfNeeded();
  await link.focus();
  expect(await isInSight()).toBe(false);
  await page.keyboard.press('Enter');
  await expect.poll(isInSight).toBe(true);

  // From another conversation, and into the address of a new tab.
  await ana.send('ops', 'One more message');
  const href = (await link.getAttribute('href')) ?? '';
  await goTo(page, 'random');
  await page.evaluate((to) => window.location.assign(to), href);
  await expect.poll(isInSight).toBe(true);
  expect(new URL(page.url()).hash).toBe('#ops');
  expect(stage.faults).toEqual([]);
});
