import {
  alertWatches,
  insertAlertWatch,
  lockPoll,
  quietColumns,
  quietHours,
  reminder,
  reminderColumns,
} from '../../watches/index.ts';
import { defineSection, placed, placedItem } from './define-section.ts';
import { canonicalFilter, filter, toFilter, toSearch } from './filter.ts';

export const alertWatchSection = defineSection({
  name: 'alertWatches',
  family: 'watches',
  needsAnchor: true,
  schema: placedItem.extend({
    filter: filter.optional(),
    quietHours: quietHours.strict().optional(),
    reminder: reminder.optional(),
  }),
  canonical: (watch) => ({
    ...placed(watch),
    filter: canonicalFilter(watch.filter),
    quietHours: watch.quietHours,
    reminder: watch.reminder,
  }),
  identity: (watch, connection) => [connection, watch.filter],
  list: alertWatches.list,
  toValue: (place, { search, quietHours, reminder }) => ({
    ...place,
    filter: toFilter(search),
    quietHours,
    reminder,
  }),
  mentions: ({ reminder }) => (reminder?.group ? [reminder.group] : []),
  remove: alertWatches.end,
  async save(
    trx,
    { filter, quietHours, reminder },
    { isNew, connection: { id: connectionId, anchor }, ...watch },
  ) {
    if (!isNew) {
      const { createdBy, at } = watch;
      return alertWatches.change(trx, watch, {
        created_by: createdBy,
        ...quietColumns(quietHours, at),
        ...reminderColumns(reminder, at),
      });
    }
    if (!anchor) throw new Error('the anchor of a new watch is missing');
    const { teamId, at } = watch;
    await lockPoll(trx, { teamId, connectionId, at });
    return insertAlertWatch(trx, {
      ...watch,
      connectionId,
      search: toSearch(filter),
      quietHours,
      reminder,
      anchor,
    });
  },
});
