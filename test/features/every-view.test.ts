import { expect, test } from 'vitest';
import { z } from 'zod';
import { validateMessage } from '../../playground/slack/validate/message.ts';
import { validateHome, validateView } from '../../playground/slack/validate/view.ts';
import { fitMessage } from '../../src/slack/ui/fit-message.ts';
import { sample } from '../support/sampling.ts';
import { findBuilders, homeSchema, messageSchema, modalSchema } from '../views/list-views.ts';
import { everyView } from './every-view.ts';
import { hostileTexts } from './hostile-texts.ts';
import { hostileSamples } from './samples.ts';

test('every builder that the features export is listed', async () => {
  const builders = (await findBuilders()).map(({ name }) => name);
  expect(builders.length).toBeGreaterThan(15);
  expect(Object.keys(everyView(hostileSamples('x'))).sort()).toEqual(builders.sort());
});

test.each(sample(Object.entries(hostileTexts), 2))(
  'Slack accepts every view with %s text in it',
  (_, text) => {
    for (const [name, views] of Object.entries(everyView(hostileSamples(text)))) {
      for (const view of views) {
        const posted = messageSchema.safeParse(view);
        const isModal = modalSchema.safeParse(view).success;
        const isHome = homeSchema.safeParse(view).success;
        expect(isModal || isHome || posted.success, name).toBe(true);
        const inView = isHome ? validateHome(view) : validateView(view);
        const problems = isModal || isHome ? inView : validateMessage(posted.data?.blocks ?? []);
        expect(problems, name).toEqual([]);
      }
    }
  },
);

test('no text in a view becomes a mention or a link', () => {
  const views = everyView(hostileSamples('<!channel> <@U0EVIL> <https://phish.example|Approve>'));
  const parsed = parsedTexts(views);
  expect(parsed.length).toBeGreaterThan(100);
  expect(parsed.filter((text) => /<!channel>|<@U0EVIL|<https:\/\/phish/.test(text))).toEqual([]);
});

test('Slack finds no links or mentions automatically in any view', () => {
  const texts = JSON.stringify(everyView(hostileSamples('https://phish.example #ops @here'))).match(
    /{"type":"mrkdwn",[^{}]*}/g,
  );
  expect(texts?.length).toBeGreaterThan(100);
  expect(texts?.filter((text) => !text.includes('"verbatim":true'))).toEqual([]);
});

test('only answers to a person have more text than Slack lets an app post', () => {
  const tooLong = Object.entries(everyView(hostileSamples('Kim Lee'))).filter(([, views]) =>
    views.some((view) => {
      const { data } = messageSchema.safeParse(view);
      return data && fitMessage(data) !== data;
    }),
  );
  const answers = ['digestListMessage', 'policyCard', 'watchListMessage'];
  expect(tooLong.map(([name]) => name).sort()).toEqual(answers);
});

const labeled = z.object({
  text: z.object({ text: z.string() }),
  accessibility_label: z.string(),
});

/** People who speak to their device say what they see. https://www.w3.org/WAI/WCAG22/Understanding/label-in-name */
test('the label of each button contains its text', () => {
  const labels = labelsIn(everyView(hostileSamples('Kim Lee')));
  expect(labels.length).toBeGreaterThan(100);
  expect(labels.filter(({ text, label }) => !label.includes(text))).toEqual([]);
});

/** The text and the label of each button, as lowercase letters and digits. */
function labelsIn(shown: unknown): { text: string; label: string }[] {
  if (typeof shown !== 'object' || shown === null) return [];
  const { data } = labeled.safeParse(shown);
  const spoken = (words: string) => words.toLowerCase().replaceAll(/[^\p{L}\p{N} ]/gu, '');
  const own = data && { text: spoken(data.text.text), label: spoken(data.accessibility_label) };
  return [...(own ? [own] : []), ...Object.values(shown).flatMap(labelsIn)];
}

/** Texts that Slack reads as mrkdwn: a message's own and those of mrkdwn objects, not plain text. */
function parsedTexts(shown: unknown): string[] {
  if (Array.isArray(shown)) return shown.flatMap(parsedTexts);
  if (typeof shown !== 'object' || shown === null) return [];
  const own = 'text' in shown && typeof shown.text === 'string' ? [shown.text] : [];
  const isPlain = 'type' in shown && ['plain_text', 'raw_text'].includes(String(shown.type));
  return [...(isPlain ? [] : own), ...Object.values(shown).flatMap(parsedTexts)];
}
