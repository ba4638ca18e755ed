import { type Interaction, Refusal } from '../../../slack/interactions/interaction.ts';
import type { Listeners } from '../../../slack/interactions/listeners.ts';
import { type Message, notice } from '../../../slack/ui/blocks.ts';
import { requireMayChange } from '../../../workspace/call.ts';
import { shownRights } from '../../../workspace/permissions.ts';
import type { AlertContext } from '../alert-context.ts';
import type { AlertSearch, SavedFilter } from '../alert-search.ts';
import { maxSavedFilters, type SavedFilters } from '../store/saved-filters.ts';
import {
  deleteSavedActionId,
  type SavedRef,
  savedPager,
  savedRef,
  viewSavedActionId,
} from '../views/ids.ts';
import { deletedMessage, formatSaved, savedListMessage } from '../views/saved-filter-messages.ts';
import { nameProblem } from './filter-name.ts';

type InChannel = Interaction & { channelId: string | undefined };

/**
 * *View* and *Delete* of saved filters, and the pages of their list. `list` shows the first page of a list
 * of alerts.
 */
export function registerSavedFilters(
  listeners: Listeners,
  savedFilters: SavedFilters,
  list: (call: Interaction, search: AlertSearch) => Promise<Message>,
): void {
  listeners.pages(savedPager, ({ value, ...call }) =>
    showSavedFilters(call, value.start, savedFilters),
  );

  /** @throws Refusal if it was deleted, or belongs to another person or channel */
  async function find(call: InChannel, { owner, name }: SavedRef): Promise<SavedFilter> {
    const visible = await savedFilters.list(call.teamId, ownersOf(call));
    const found = visible.find((one) => one.owner === owner && one.name === name);
    if (!found) throw new Refusal(gone);
    return found;
  }

  listeners.action(
    viewSavedActionId,
    savedRef,
    async ({ value, ...call }) => ({ reply: await list(call, (await find(call, value)).search) }),
    { isAnnounced: true },
  );

  listeners.action(deleteSavedActionId, savedRef, async ({ value, ...call }) => {
    const found = await find(call, value);
    await requireMayChange(found, call, { kind: 'saved filter', gone });
    const isDeleted = await savedFilters.remove(call.teamId, found);
    return { reply: isDeleted ? deletedMessage(found) : gone };
  });
}

/** The saved filters of the person, then those of the channel. */
export async function showSavedFilters(
  call: InChannel,
  start: number,
  savedFilters: SavedFilters,
): Promise<Message> {
  const [saved, settings] = await Promise.all([
    savedFilters.list(call.teamId, ownersOf(call)),
    call.settings(),
  ]);
  return savedListMessage(saved, {
    start,
    mayDelete: (one) => shownRights.mayChange(one, call.person, settings),
  });
}

function ownersOf({ person, channelId }: InChannel): string[] {
  return [person.slackUserId, ...(channelId === undefined ? [] : [channelId])];
}

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
  { savedFilters, knownValues, isCommandWord, clock }: AlertContext,
): Promise<string> {
  const { teamId, person } = call;
  const problem = nameProblem(typed, knownValues.read(teamId), isCommandWord);
  if (problem) throw new Refusal(notice(`${problem} Nothing was saved. ${howToSearch}`));
  const owner = forChannel ?? person.slackUserId;
  const name = typed.toLowerCase();
  const before = (await savedFilters.list(teamId, [owner])).find((one) => one.name === name);
  if (before) await requireMayChange(before, call, { kind: 'saved filter', gone: taken });
  // The moment of the list that is saved isn't part of the filter.
  const saved: SavedFilter = {
    owner,
    name,
    search: { ...search, lookedAt: undefined },
    createdBy: person.slackUserId,
    createdAt: clock(),
  };
  const result = await savedFilters.save(teamId, saved, before);
  if (result === 'taken') throw new Refusal(taken);
  if (result === 'too-many') throw new Refusal(tooMany);
  return formatSaved(saved, before);
}

const gone = notice(
  'This saved filter no longer exists here. To see the others, run `/belay alerts filters`.',
);
const howToSearch = 'To search for the word “as”, put the text in quotation marks.';
const taken = notice(
  'Somebody else changed the filter with this name just now. Nothing was saved. To see it, run `/belay alerts filters`.',
);
const tooMany = notice(
  `A person or a channel can have at most ${maxSavedFilters} saved filters. Nothing was saved. To delete one, run \`/belay alerts filters\`.`,
);
