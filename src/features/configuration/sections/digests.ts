import { z } from 'zod';
import { nextRun } from '../../../jobs/next-run.ts';
import {
  changeDigest,
  type DigestSettings,
  digestParts,
  digestSettings,
  digests,
  firstPeriodStart,
  insertDigest,
} from '../../digests/index.ts';
import { defineSection, placed, placedItem } from './define-section.ts';
import { canonicalFilter, filter, toFilter, toSearch } from './filter.ts';

/** In the order of their numbers, from 1. */
const weekdayNames = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const;

const schema = placedItem.extend({
  time: digestSettings.shape.time,
  weekdays: z.array(z.enum(weekdayNames)).min(1).max(7),
  timeZone: digestSettings.shape.timeZone,
  include: z.array(z.enum(digestParts)).min(1),
  ifEmpty: digestSettings.shape.whenEmpty,
  filter: filter.optional(),
});

export const digestSection = defineSection({
  name: 'digests',
  family: 'digests',
  // Nothing distinguishes a changed digest from a new one.
  canRepeat: true,
  schema,
  canonical: (digest) => ({
    ...placed(digest),
    time: digest.time,
    weekdays: weekdayNames.filter((day) => digest.weekdays.includes(day)),
    timeZone: digest.timeZone,
    include: digestParts.filter((part) => digest.include.includes(part)),
    ifEmpty: digest.ifEmpty,
    filter: canonicalFilter(digest.filter),
  }),
  identity: (_, connection) => [connection],
  list: digests.list,
  toValue: (place, { settings: { weekdays, parts, whenEmpty, search, ...time } }) => ({
    ...place,
    ...time,
    include: parts,
    ifEmpty: whenEmpty,
    weekdays: weekdays.flatMap((day) => weekdayNames[day - 1] ?? []),
    filter: toFilter(search),
  }),
  remove: digests.end,
  async save(trx, value, { isNew, ...digest }) {
    const { teamId, id, at } = digest;
    const settings = toSettings(value);
    if (!isNew) {
      const before = await digests.findLocked(trx, { teamId, id });
      return before && changeDigest(trx, before, { ...digest, settings });
    }
    return insertDigest(trx, {
      ...digest,
      settings,
      sourceViewId: `configuration:${id}`,
      nextRunAt: nextRun(settings, at),
      coveredUntil: firstPeriodStart(at),
    });
  },
});

function toSettings(digest: z.infer<typeof schema>): DigestSettings {
  const { time, timeZone, weekdays, include: parts, ifEmpty: whenEmpty } = digest;
  return {
    time,
    timeZone,
    parts,
    whenEmpty,
    search: toSearch(digest.filter),
    weekdays: weekdays.map((day) => weekdayNames.indexOf(day) + 1),
  };
}
