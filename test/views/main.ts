import { parseArgs } from 'node:util';
import { realisticSamples } from '../features/realistic-samples.ts';
import { listViews } from './list-views.ts';
import { renderView } from './render-view.ts';
import { listSourceTexts } from './source-texts.ts';
import { takeScreenshots } from './take-screenshots.ts';

const { values } = parseArgs({ options: { screenshots: { type: 'string' } } });
const all = (await listViews(realisticSamples())).map((one) => ({
  ...one,
  text: renderView(one.view),
}));
// Variants that differ only in ids and values of buttons read the same.
const views = all.filter(
  (one, index) =>
    index === all.findIndex(({ name, text }) => name === one.name && text === one.text),
);

if (values.screenshots) {
  await takeScreenshots(views, values.screenshots);
} else {
  for (const { folder, name, text } of views) print(`=== ${folder} · ${name}\n${text}\n`);
  const texts = Map.groupBy(listSourceTexts(), ({ file }) => file);
  for (const [file, found] of texts) {
    print(`=== Texts in ${file}\n${found.map(({ text }) => text).join('\n')}\n`);
  }
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
