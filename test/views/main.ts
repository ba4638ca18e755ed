import { parseArgs } from 'node:util';
import { realisticSamples } from '../features/realistic-samples.ts';
import { listViews } from './list-views.ts';
import { renderView } from './render-view.ts';
import { findExcess, guides, measureViews } from './sizes.ts';
import { listSourceTexts } from './source-texts.ts';
import { takeScreenshots } from './take-screenshots.ts';

const { values } = parseArgs({
  options: { screenshots: { type: 'string' }, sizes: { type: 'boolean', default: false } },
});
const listed = await listViews(realisticSamples());
const all = listed.map((one) => ({
  ...one,
  text: renderView(one.view),
}));
// Variants that differ only in ids and values of buttons read the same.
const views = all.filter(
  (one, index) =>
    index === all.findIndex(({ name, text }) => name === one.name && text === one.text),
);

if (values.sizes) {
  const sizes = measureViews(listed);
  const rows = sizes.map(({ name, words, buttons }) =>
    [words.median, words.max, buttons.median, buttons.max]
      .map((count) => String(count).padStart(6))
      .join('')
      .concat(`  ${name}${guides[name]?.reason ? `: ${guides[name].reason}` : ''}`),
  );
  print(['       words     buttons', 'median   max median   max', ...rows].join('\n'));
  const excess = findExcess(sizes);
  for (const line of excess) process.stderr.write(`${line}\n`);
  process.exitCode = excess.length > 0 ? 1 : 0;
} else if (values.screenshots) {
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
