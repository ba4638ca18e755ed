import { z } from 'zod';
import { maxReasonLength, mutes } from '../../watches/index.ts';
import { defineSection, placed, placedItem } from './define-section.ts';
import { canonicalFilter, filter, toFilter, toSearch } from './filter.ts';

/** Mutes without an end. Others are of the day, and end by themselves. */
export const muteSection = defineSection({
  name: 'mutes',
  family: 'mutes',
  schema: placedItem.extend({
    filter: filter.refine(({ severities }) => severities !== undefined, {
      path: ['severities'],
      error: 'are missing: a mute names what it hides',
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
  // What it has hidden is counted in a message when it ends, a moment later.
  remove: (trx, ref, { at }) => mutes.change(trx, ref, { ends_at: at }),
  async save(trx, { filter, reason }, { isNew, ...mute }) {
    const { createdBy } = mute;
    if (!isNew) return mutes.change(trx, mute, { created_by: createdBy, reason });
    const search = JSON.stringify(toSearch(filter));
    return mutes.insert(trx, mute, { search, reason, ends_at: null });
  },
});
