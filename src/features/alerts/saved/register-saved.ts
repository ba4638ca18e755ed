import { type Interaction, Refusal } from '../../../slack/interactions/interaction.ts';
import type { Listeners } from '../../../slack/interactions/listeners.ts';
import { type Message, notice } from '../../../slack/ui/blocks.ts';
import { requireMayChange } from '../../../workspace/call.ts';
import { shownRights } from '../../../workspace/permissions.ts';
import type { AlertSearch, SavedFilter } from '../alert-search.ts';
import type { SavedFilters } from '../store/saved-filters.ts';
import {
  deleteSavedActionId,
  type SavedRef,
  savedPager,
  savedRef,
  viewSavedActionId,
} from '../views/ids.ts';
import { deletedMessage, savedListMessage } from '../views/saved-filter-messages.ts';

type InChannel = Interaction & { channelId: string | undefined };

/** *View* and *Delete* of saved filters, and the pages of their list. */
export function registerSavedFilters(
  listeners: Listeners,
  {
    savedFilters,
    list,
  }: {
    savedFilters: SavedFilters;
    /** The first page of a list of alerts. */
    list: (call: Interaction, search: AlertSearch) => Promise<Message>;
  },
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
  savedFilters: Pick<SavedFilters, 'list'>,
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

const gone = notice(
  'This saved filter no longer exists here. To see the others, run `/belay alerts filters`.',
);
