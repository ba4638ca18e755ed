import type { Clock } from '../../../clock.ts';
import { type Interaction, Refusal } from '../../../slack/interactions/interaction.ts';
import { notice } from '../../../slack/ui/blocks.ts';
import { requireMayChange } from '../../../workspace/call.ts';
import type { AlertSearch, SavedFilter } from '../alert-search.ts';
import type { KnownValues } from '../known-values.ts';
import { maxSavedFilters, type SavedFilters } from '../store/saved-filters.ts';
import { formatSaved } from '../views/saved-filter-messages.ts';
import { type IsCommandWord, nameProblem } from './filter-name.ts';

export type SaveDependencies = {
  savedFilters: SavedFilters;
  knownValues: Pick<KnownValues, 'read'>;
  isCommandWord: IsCommandWord;
  clock: Clock;
};

/**
 * Saves a search for the person, or for the channel `forChannel`, in place of an earlier one with this
 * name. Returns a sentence about it.
 * @throws Refusal if the name can't be used, or the filter is somebody else's
 */
export async function saveFilter(
  call: Interaction,
  {
    name: typed,
    search,
    forChannel,
  }: { name: string; search: AlertSearch; forChannel: string | undefined },
  { savedFilters, knownValues, isCommandWord, clock }: SaveDependencies,
): Promise<string> {
  const { teamId, person } = call;
  const problem = nameProblem(typed, knownValues.read(teamId), isCommandWord);
  if (problem) throw new Refusal(notice(`${problem} Nothing was saved. ${howToSearch}`));
  const owner = forChannel ?? person.slackUserId;
  const name = typed.toLowerCase();
  const before = (await savedFilters.list(teamId, [owner])).find((one) => one.name === name);
  if (before) await requireMayChange(before, call, { kind: 'saved filter', gone: taken });
  const at = clock();
  // The moment of the list that is saved isn't part of the filter.
  const saved: SavedFilter = {
    owner,
    name,
    search: { ...search, lookedAt: undefined },
    createdBy: person.slackUserId,
    createdAt: at,
  };
  const result = await savedFilters.save(teamId, saved, before);
  if (result === 'taken') throw new Refusal(taken);
  if (result === 'too-many') throw new Refusal(tooMany);
  return formatSaved(saved, before);
}

const howToSearch = 'To search for the word “as”, put the text in quotation marks.';
const taken = notice(
  'Somebody else changed the filter with this name just now. Nothing was saved. To see it, run `/belay alerts filters`.',
);
const tooMany = notice(
  `A person or a channel can have at most ${maxSavedFilters} saved filters. Nothing was saved. To delete one, run \`/belay alerts filters\`.`,
);
