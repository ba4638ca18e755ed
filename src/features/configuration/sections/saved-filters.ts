import { z } from 'zod';
import {
  type AlertSearch,
  alertSearchSchema,
  builtInValues,
  changeSavedFilter,
  defaultSearch,
  listChannelFilters,
  nameProblem,
  removeSavedFilter,
} from '../../alerts/index.ts';
import { isCommandWord } from '../../help/index.ts';
import { defineSection, placedItem } from './define-section.ts';
import { canonicalFilter, filterFields, toFilter, unusableSearch } from './filter.ts';

const { status, since, timeZone, sort } = alertSearchSchema.shape;

const fields = filterFields.extend({
  status: status.optional(),
  since,
  timeZone,
  sort: sort.optional(),
});
type SavedSearch = z.infer<typeof fields>;

const savedSearch = fields.refine(
  (given) => alertSearchSchema.safeParse(toSearch(given)).success,
  unusableSearch,
);

/** The saved filters of channels. Those of people are their own. */
export const savedFilterSection = defineSection({
  name: 'savedFilters',
  family: 'saved filters',
  schema: placedItem.omit({ connection: true }).extend({
    name: z.string().superRefine((name, context) => {
      const problem = nameProblem(name, builtInValues, isCommandWord);
      if (problem) context.addIssue(problem);
      if (name !== name.toLowerCase()) context.addIssue('is not in lower case');
    }),
    filter: savedSearch.optional(),
  }),
  canonical: ({ channel, owner, name, filter }) => ({
    channel,
    owner,
    name,
    filter: canonicalSearch(filter),
  }),
  identity: ({ name }) => [name],
  async list(trx, { teamId }) {
    const all = await listChannelFilters(trx, teamId);
    return all.map((one) => ({
      ...one,
      id: `${one.owner} ${one.name}`,
      channelId: one.owner,
      originId: undefined,
    }));
  },
  toValue: ({ channel, owner }, { name, search }) => ({
    channel,
    owner,
    name,
    filter: fromSearch(search),
  }),
  remove(trx, { teamId, id }) {
    const [owner = '', name = ''] = id.split(' ');
    return removeSavedFilter(trx, teamId, { owner, name });
  },
  save(trx, { channel, owner, name, filter }, { teamId, isNew, at }) {
    const search = toSearch(filter);
    const saved = { owner: channel, name, search, createdBy: owner, createdAt: at };
    return changeSavedFilter(trx, teamId, saved, { isNew });
  },
});

function toSearch(given: SavedSearch = {}): AlertSearch {
  const { status = defaultSearch.status, sort = defaultSearch.sort, words = [] } = given;
  return { ...given, status, sort, words };
}

function fromSearch({ status, since, timeZone, sort, ...search }: AlertSearch): SavedSearch {
  return { ...toFilter(search), status, since, timeZone, sort };
}

/** Without what is the default. Undefined for all active alerts. */
function canonicalSearch({ status, since, timeZone, sort, ...filter }: SavedSearch = {}) {
  const sorted = {
    ...canonicalFilter(filter),
    ...(status && status !== defaultSearch.status && { status }),
    ...(since && { since }),
    ...(timeZone && { timeZone }),
    ...(sort && sort !== defaultSearch.sort && { sort }),
  };
  return Object.keys(sorted).length > 0 ? sorted : undefined;
}
