import { describe, expect, it, onTestFinished } from 'vitest';
import { defaultSearch } from '../../../src/features/alerts/alert-search.ts';
import {
  createSavedFilters,
  maxSavedFilters,
} from '../../../src/features/alerts/store/saved-filters.ts';
import { noon } from '../../requests/store/rows.ts';
import { databases } from '../../support/databases.ts';

describe.each(databases())('saved filters on $name', ({ open }) => {
  it('are at most 50 for a channel, also if several people save one at once', async () => {
    const { db, close } = await open();
    onTestFinished(close);
    const filters = createSavedFilters(db);
    const save = (name: string) => {
      const filter = { owner: 'C0OPS', name, search: defaultSearch };
      return filters.save('T1', { ...filter, createdBy: 'U1', createdAt: noon }, undefined);
    };
    const names = Array.from({ length: maxSavedFilters + 4 }, (_, index) => `f-${index}`);
    await Promise.all(names.slice(0, maxSavedFilters - 1).map(save));
    const saved = await Promise.all(names.slice(maxSavedFilters - 1).map(save));
    expect(saved.toSorted()).toEqual(['saved', ...Array(4).fill('too-many')]);
  });
});
