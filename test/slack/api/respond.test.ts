import { expect, it } from 'vitest';
import { z } from 'zod';
import { people } from '../../../playground/people.ts';
import { actions, button, section } from '../../../src/slack/ui/blocks.ts';
import { barChart } from '../../../src/slack/ui/chart.ts';
import { messagesOf } from '../../support/ask.ts';
import { listen } from '../interactions/listening.ts';

/** The local Slack refuses a message with this, as one that doesn't know charts would. */
const refusedChart = barChart({ title: 'x'.repeat(51), categories: ['A'], series: [] });
const chart = barChart({
  title: 'Noncompliant volumes',
  categories: ['Nov 21', 'Nov 22'],
  series: [{ name: 'Noncompliant', values: [1, 2] }],
});

const typesOf = (message: { blocks?: { type: string }[] } | undefined) =>
  message?.blocks?.map(({ type }) => type);

it.each([
  ['with its chart', chart, ['section', 'data_visualization', 'actions']],
  ['without a chart that Slack refuses', refusedChart, ['section', 'actions']],
])('answers and replaces a message %s', async (_, shown, types) => {
  const stage = await listen();
  const value = '{}';
  const again = button({ text: 'Again', actionId: 'again', value });
  const messageOf = (text: string) => ({
    text,
    blocks: [section(text), shown, actions([again])],
  });
  stage.listeners.command('/belay', async () => messageOf('First'));
  stage.listeners.action('again', z.object({}), async () => ({ replace: messageOf('Second') }));
  const ana = stage.person(people.ana);
  await ana.send('ops', '/belay');
  const first = await ana.seeMessage('First');
  expect(typesOf(first)).toEqual(types);
  await ana.press(first, 'Again');
  const second = await ana.seeMessage('Second');
  expect(typesOf(second)).toEqual(types);
  expect(messagesOf(ana)).toHaveLength(1);
});
