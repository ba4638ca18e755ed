import { policyWatches } from '../../watches/index.ts';
import { defineSection, placed, placedItem } from './define-section.ts';

export const policyWatchSection = defineSection({
  name: 'policyWatches',
  family: 'watches',
  schema: placedItem,
  canonical: placed,
  identity: (_, connection) => [connection],
  list: policyWatches.list,
  toValue: (place) => place,
  remove: policyWatches.end,
  save(trx, _, { isNew, ...watch }) {
    return isNew
      ? policyWatches.insert(trx, watch, {})
      : policyWatches.change(trx, watch, { created_by: watch.createdBy });
  },
});
