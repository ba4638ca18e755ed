import { expect, test } from 'vitest';
import { realisticSamples } from '../features/realistic-samples.ts';
import { listViews } from './list-views.ts';
import { renderView } from './render-view.ts';
import { listSourceTexts } from './source-texts.ts';
import { forbidden, storedTexts } from './terms.ts';

/** Features and modules whose texts still break the rules. Remove a line with its last such text. */
const unfinished = new Set<string>();

type Found = { folder: string; where: string; text: string };

const views = (await listViews(realisticSamples())).map(
  ({ folder, name, view }): Found => ({
    ...{ folder, where: name, text: renderView(view) },
  }),
);
const sources = listSourceTexts().map(
  ({ folder, file, text }): Found => ({
    ...{ folder, where: file, text },
  }),
);

function violationsIn(texts: Found[]): { folder: string; problem: string }[] {
  const checked = texts.filter(({ text }) => !storedTexts.has(text));
  const problems = checked.flatMap(({ folder, where, text }) =>
    forbidden.flatMap(({ pattern, instead }) => {
      const found = pattern.exec(text)?.[0];
      return found
        ? [{ folder, problem: `${where}: “${found.slice(0, 80)}”, use: ${instead}` }]
        : [];
    }),
  );
  return [...new Map(problems.map((one) => [one.problem, one])).values()];
}

test('no view and no text in the sources breaks the table of terms', () => {
  expect(views.length).toBeGreaterThan(300);
  expect(sources.length).toBeGreaterThan(900);
  const found = violationsIn([...views, ...sources]);
  const open = found.filter(({ folder }) => !unfinished.has(folder));
  expect(open.map(({ problem }) => problem)).toEqual([]);
});

test('each folder in the list of unfinished ones still has such a text', () => {
  const failing = new Set(violationsIn([...views, ...sources]).map(({ folder }) => folder));
  expect([...unfinished].filter((folder) => !failing.has(folder))).toEqual([]);
});

test('the check of terms can fail', () => {
  const texts = ['All is quiet.', 'Non-compliant volumes', '@ana asks to disable Kim Lee.'];
  const wrong = texts.map((text) => ({ folder: 'x', where: 'y', text }));
  expect(violationsIn(wrong)).toHaveLength(3);
});
