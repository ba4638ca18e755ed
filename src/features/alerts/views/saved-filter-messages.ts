import {
  actions,
  button,
  confirmation,
  context,
  type KnownBlock,
  type Message,
  message,
  notice,
  section,
} from '../../../slack/ui/blocks.ts';
import { encodeValue } from '../../../slack/ui/codec.ts';
import { bold, code, mention, moment } from '../../../slack/ui/mrkdwn.ts';
import { pagesAround } from '../../../slack/ui/pager.ts';
import { whoMayChange } from '../../../workspace/call.ts';
import type { AlertSearch, SavedFilter } from '../alert-search.ts';
import { formatCommand } from './format-search.ts';
import { deleteSavedActionId, savedPager, viewSavedActionId } from './ids.ts';

/** "Saved your filter *morning*." `before`: what it replaces. */
export function formatSaved(saved: SavedFilter, before: SavedFilter | undefined): string {
  const { name } = saved;
  const lines = [
    `Saved ${whose(saved)} filter ${bold(name)}. Use it: ${code(`/belay alerts ${name}`)}`,
  ];
  if (before) lines.push(`It replaces an earlier filter: ${formatFilter(before.search)}`);
  return lines.join('\n');
}

/** Which filter a list was made from. `isWholeText`: the name alone was typed, maybe as text. */
export function formatUsed(used: SavedFilter, isWholeText: boolean): string {
  const { name } = used;
  const text = isWholeText ? ` To search for the text: ${code(`/belay alerts "${name}"`)}` : '';
  return `Using ${whose(used)} saved filter ${bold(name)}.${text}`;
}

/** For a watch, which copies the search. */
export function formatCopied({ name }: SavedFilter): string {
  return `From the saved filter ${bold(name)}. Later changes of the filter don't change the watch.`;
}

/** A page of the filters of a person and a channel. */
export function savedListMessage(
  saved: SavedFilter[],
  { start, mayDelete }: { start: number; mayDelete: (one: SavedFilter) => boolean },
): Message {
  if (saved.length === 0) return notice(`No saved filters for you or this channel. ${howToSave}`);
  const total = saved.length;
  const from = Math.min(start, Math.floor((total - 1) / perPage) * perPage);
  const shown = saved.slice(from, from + perPage);
  const range = total > perPage ? `, ${from + 1}-${from + shown.length} of ${total}` : '';
  return message([
    section(`*Saved filters*${range}`),
    ...shown.flatMap((one) => [section(formatListed(one)), buttonsOf(one, mayDelete(one))]),
    actions(savedPager.buttons(pagesAround({ start: from }, { total, perPage }))),
    context(saved.every(isPersonal) ? howToSave : `${howToSave}\n${whoMayChange('saved filter')}`),
  ]);
}

const perPage = 10;
const howToSave =
  'To save one, run `/belay alerts severity:error as morning`, or `… as morning here` for this channel.';

export function deletedMessage(saved: SavedFilter): Message {
  const { name, search } = saved;
  return notice(
    `Deleted ${whose(saved)} saved filter ${bold(name)}: ${formatFilter(search)}\nWatches and digests that were made from it stay as they are.`,
  );
}

function formatListed(saved: SavedFilter): string {
  const { name, search, createdBy, createdAt } = saved;
  const by = isPersonal(saved) ? '' : ` by ${mention(createdBy)}`;
  const owner = isPersonal(saved) ? 'yours' : "this channel's";
  return `${bold(name)} · ${owner} · added${by} ${moment(createdAt)}\n${formatFilter(search)}`;
}

function buttonsOf({ owner, name }: SavedFilter, mayDelete: boolean): KnownBlock {
  const value = encodeValue({ owner, name });
  const remove = button({
    text: 'Delete',
    actionId: deleteSavedActionId,
    value,
    accessibilityLabel: `Delete: saved filter ${name}`,
    confirm: confirmation({
      title: 'Delete this filter?',
      question: `${name}. Watches and digests that were made from it stay as they are.`,
      verb: 'Delete',
    }),
  });
  return actions([
    button({
      text: 'View alerts',
      actionId: viewSavedActionId,
      value,
      accessibilityLabel: `View alerts: saved filter ${name}`,
    }),
    ...(mayDelete ? [remove] : []),
  ]);
}

/** A channel saves none itself, so its filters have another creator. */
function isPersonal({ owner, createdBy }: SavedFilter): boolean {
  return owner === createdBy;
}

function whose(saved: SavedFilter): string {
  return isPersonal(saved) ? 'your' : "this channel's";
}

/** As it can be typed. */
function formatFilter(search: AlertSearch): string {
  return formatCommand(search) ?? code('/belay alerts');
}
