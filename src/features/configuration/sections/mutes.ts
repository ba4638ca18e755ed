import { z } from 'zod';
import { maxReasonLength, mutes } from '../../watches/index.ts';
import { defineSection, placed, placedItem } from './define-section.ts';
import { canonicalFilter, filter, toFilter, toSearch } from './filter.ts';

/** Mutes without an end. Others are temporary and end on their own. */
export const muteSection = defineSection({
  name: 'mutes',
  family: 'mutes',
  schema: placedItem.extend({
    filter: filter.refine(({ severities }) => severities !== undefined, {
      path: ['severities'],
      error: 'are missing: list the severities to mute',
    }),
    reason: z
      .string()
      .min(1)
      .max(maxReasonLength)
      .refine((typed) => typed.trim() === typed, 'begins or ends with a space'),
  }),
  canonical: (mute) => ({
    ...placed(mute),
    filter: canonicalFilter(mute.filter) ?? mute.filter,
    reason: mute.reason,
  }),
  identity: (mute, connection) => [connection, mute.filter],
  list: async (trx, { teamId }) => {
    const all = await mutes.list(trx, { teamId });
    return all.filter(({ endsAt }) => endsAt === undefined);
  },
  toValue: (place, { search, reason }) => ({ ...place, filter: toFilter(search), reason }),
  // The message about its end, a moment later, counts the alerts that it held.
  remove: (trx, ref, { at }) => mutes.change(trx, ref, { ends_at: at }),
  async save(trx, { filter, reason }, { isNew, ...mute }) {
    const { createdBy } = mute;
    if (!isNew) return mutes.change(trx, mute, { created_by: createdBy, reason });
    const search = JSON.stringify(toSearch(filter));
    return mutes.insert(trx, mute, { search, reason, ends_at: null });
  },
});
