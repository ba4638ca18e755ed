import { expect, test } from 'vitest';
import { realisticSamples } from '../features/realistic-samples.ts';
import { listViews } from './list-views.ts';
import { renderView } from './render-view.ts';
import { listSourceTexts } from './source-texts.ts';
import { forbidden, storedTexts } from './terms.ts';

type Found = { where: string; text: string };

const views = (await listViews(realisticSamples())).map(
  ({ name, view }): Found => ({ where: name, text: renderView(view) }),
);
const sources = listSourceTexts().map(({ file, text }): Found => ({ where: file, text }));

function violationsIn(texts: Found[]): string[] {
  const checked = texts.filter(({ text }) => !storedTexts.has(text));
  const problems = checked.flatMap(({ where, text }) =>
    forbidden.flatMap(({ pattern, instead }) => {
      const found = pattern.exec(text)?.[0];
      return found ? [`${where}: “${found.slice(0, 80)}”, use: ${instead}`] : [];
    }),
  );
  return [...new Set(problems)];
}

test('no view and no text in the sources breaks the table of terms', () => {
  expect(views.length).toBeGreaterThan(300);
  expect(sources.length).toBeGreaterThan(900);
  expect(violationsIn([...views, ...sources])).toEqual([]);
});

test('the check of terms can fail', () => {
  const texts = ['All is quiet.', 'Non-compliant volumes', '@ana asks to disable Kim Lee.'];
  const wrong = texts.map((text) => ({ where: 'here', text }));
  expect(violationsIn(wrong)).toHaveLength(3);
});
