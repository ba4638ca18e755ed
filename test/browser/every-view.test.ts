import { afterAll, beforeAll, expect, test } from 'vitest';
import { realisticSamples } from '../features/realistic-samples.ts';
import { listViews } from '../views/list-views.ts';
import { createViewStage, type ViewPage, type ViewStage } from '../views/view-stage.ts';
import { phone } from './playground-stage.ts';
import { brokenWords, expectNothingSideways } from './seen.ts';

/** Variants of one builder differ in a few words. */
const maxVariants = 3;

let stage: ViewStage;
let window: ViewPage;

beforeAll(async () => {
  stage = await createViewStage();
  window = await stage.open({ width: phone.width, colorScheme: 'light' });
});

afterAll(() => stage?.close());

test('the views of every builder fit a phone, with whole words in tables, without sideways scrolling', async () => {
  const views = Map.groupBy(await listViews(realisticSamples()), ({ name }) => name);
  for (const variants of views.values()) {
    for (const view of variants.slice(0, maxVariants)) {
      await window.draw(view);
      await expectNothingSideways(window.page);
      expect(await brokenWords(window.page), view.name).toEqual([]);
    }
  }
});
