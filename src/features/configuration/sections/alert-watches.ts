import { alertWatches, insertAlertWatch, lockPoll } from '../../watches/index.ts';
import { defineSection, placed, placedItem } from './define-section.ts';
import { canonicalFilter, filter, toFilter, toSearch } from './filter.ts';

export const alertWatchSection = defineSection({
  name: 'alertWatches',
  family: 'watches',
  needsAnchor: true,
  schema: placedItem.extend({ filter: filter.optional() }),
  canonical: (watch) => ({ ...placed(watch), filter: canonicalFilter(watch.filter) }),
  identity: (watch, connection) => [connection, watch.filter],
  list: alertWatches.list,
  toValue: (place, { search }) => ({ ...place, filter: toFilter(search) }),
  remove: alertWatches.end,
  async save(trx, { filter }, { isNew, connection: { id: connectionId, anchor }, ...watch }) {
    if (!isNew) return alertWatches.change(trx, watch, { created_by: watch.createdBy });
    if (!anchor) throw new Error('the anchor of a new watch is missing');
    const { teamId, at } = watch;
    await lockPoll(trx, { teamId, connectionId, at });
    return insertAlertWatch(trx, { ...watch, connectionId, search: toSearch(filter), anchor });
  },
});
