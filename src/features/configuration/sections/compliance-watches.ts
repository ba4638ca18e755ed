import { z } from 'zod';
import { storable } from '../../../database/canonical-text.ts';
import {
  changeComplianceWatch,
  complianceWatches,
  insertComplianceWatch,
  maxCountRange,
} from '../../watches/index.ts';
import { defineSection, placed, placedItem } from './define-section.ts';

/** Of the service, which may write whatever can be stored. */
const storedText = z
  .string()
  .max(10_000)
  .refine((given) => storable(given) === given, "has characters that can't be stored");

export const complianceWatchSection = defineSection({
  name: 'complianceWatches',
  family: 'watches',
  schema: placedItem.extend({
    policy: z.strictObject({ id: storedText.min(1), name: storedText }),
    /** A message is posted when the noncompliant volumes become more than this. */
    above: z.int().min(maxCountRange.min).max(maxCountRange.max),
  }),
  canonical: ({ policy, above, ...watch }) => ({
    ...placed(watch),
    policy: { id: policy.id, name: policy.name },
    above,
  }),
  identity: ({ policy }, connection) => [connection, policy.id],
  list: complianceWatches.list,
  toValue: (place, { policy, maxCount }) => ({ ...place, policy, above: maxCount }),
  remove: complianceWatches.end,
  save(trx, { policy, above: maxCount }, { isNew, ...watch }) {
    return isNew
      ? insertComplianceWatch(trx, { ...watch, policy, maxCount, count: undefined })
      : changeComplianceWatch(trx, { ...watch, policy, maxCount });
  },
});
