import { randomUUID } from 'node:crypto';
import { describeCause } from '../../describe-failure.ts';
import { canPost, isDirectChannel, thisPlace } from '../../slack/api/channel.ts';
import {
  type CommandInteraction,
  type Interaction,
  Refusal,
} from '../../slack/interactions/interaction.ts';
import { type Message, notice } from '../../slack/ui/blocks.ts';
import { code, unescapeMrkdwn } from '../../slack/ui/mrkdwn.ts';
import { parseTypedFilter } from '../../slack/ui/typed-filter.ts';
import { capitalize } from '../../slack/ui/words.ts';
import type { Created } from '../../subscriptions/store.ts';
import {
  type AlertSearch,
  type AlertValues,
  defaultSearch,
  formatCommand,
  formatCopied,
  formatSearch,
  isExplicit,
  type ParsedSearch,
  parseAlertSearch,
  readMatchingAtOnce,
  resolveSearch,
  type SavedFilter,
  searchKeys,
  withoutListOptions,
} from '../alerts/index.ts';
import { findOverlaps } from './find-overlaps.ts';
import { anchorMs, readAnchor } from './read-anchor.ts';
import { resumeWatches } from './resume-watches.ts';
import type { NewWatch } from './store/watch-store.ts';
import {
  askToWatchMessage,
  cannotPostMessage,
  formatDuplicate,
  formatOverlaps,
  formatResumed,
  formatResumeProblem,
  formatWatch,
  tooManyWatches,
} from './views/watch-notices.ts';
import { maxWatchesPerChannel, type Watch } from './watch.ts';
import type { WatchContext } from './watch-context.ts';

/** Sets up a watch with the filter that follows the command. Returns the answer to the person. */
export async function setUpTypedWatch(
  call: CommandInteraction,
  context: WatchContext,
): Promise<Message> {
  const now = context.clock();
  const typed = unescapeMrkdwn(call.text);
  const parsed = await resolveSearch(
    call,
    (known, saved) => parseWatchFilter(typed, now, known, saved),
    context.alerts,
  );
  if ('problem' in parsed) return notice(parsed.problem);
  const { search, used } = parsed;
  if (!isExplicit(typed, parsed)) return askToWatch(call, search, now);
  return setUpWatch(call, { search }, context, used ? [formatCopied(used)] : []);
}

/** Shows what matches a filter of words now, and asks whether to watch it. */
async function askToWatch(
  call: CommandInteraction,
  search: AlertSearch,
  now: Date,
): Promise<Message> {
  const read = await readMatchingAtOnce(call, search, now).catch((error: unknown) => {
    if (error instanceof Refusal) throw error;
    return describeCause(error);
  });
  const others = formatSearch({ ...search, words: [] });
  const words = search.words.map((word) => `"${word}"`).join(' ');
  const line = ['watch', others, words].filter(Boolean).join(' ');
  return askToWatchMessage(formatWatch(search, now), read, {
    add: line,
    view: `alerts ${formatSearch(search)}`,
  });
}

/**
 * Sets up a watch that begins with the service's newest alert. Returns the answer to the person, with
 * `notes` if the watch was added.
 */
export async function setUpWatch(
  call: Interaction & { channelId: string },
  { search, quietHours, reminder }: Pick<NewWatch, 'search' | 'quietHours' | 'reminder'>,
  context: WatchContext,
  notes: string[] = [],
): Promise<Message> {
  const { store, clock } = context;
  const { teamId, channelId, person } = call;
  if (!(await canPost(call))) return cannotPostMessage(isDirectChannel(channelId));
  const service = await call.service();
  const now = clock();
  const anchor = await readAnchor(service.client, now, AbortSignal.timeout(anchorMs));
  const { connectionId, originId } = service;
  // Before the new watch, so that a paused duplicate posts again when it is reported.
  const before = await store.list({ teamId, channelId });
  const resumed = await resumeWatches(call, before, context);
  const created = await store.create(
    {
      id: randomUUID(),
      teamId,
      connectionId,
      originId,
      channelId,
      search,
      quietHours,
      reminder,
      createdBy: person.slackUserId,
      anchor,
      at: now,
    },
    { max: maxWatchesPerChannel },
  );
  const answer = await answerOf(created, now, context);
  const { resumed: alerts, missedDays, resumeProblem } = resumed;
  const news = [...formatResumed({ alerts, missedDays }), ...formatResumeProblem(resumeProblem)];
  const about = created.result === 'created' ? notes : [];
  return notice([...answer, ...about, ...news].join('\n'));
}

/** Lines of mrkdwn. */
async function answerOf(
  created: Created<Watch>,
  now: Date,
  { store }: WatchContext,
): Promise<string[]> {
  if (created.result === 'too-many') return [tooManyWatches];
  const { item: watch } = created;
  const what = formatWatch(watch.search, now);
  if (created.result === 'exists') return [`${formatDuplicate(watch, what)} No watch was added.`];
  const overlaps = findOverlaps(watch, await store.list(watch));
  return [
    `Watch added. ${capitalize(what)} are posted in ${thisPlace(watch.channelId)}.`,
    ...formatOverlaps(overlaps, now),
  ];
}

/** Parses the filter of a watch as a person types it; a problem is mrkdwn. */
export function parseWatchFilter(
  text: string,
  now: Date,
  known: AlertValues,
  saved: readonly SavedFilter[] = [],
): ParsedSearch {
  return parseNewAlerts('watch', { text, now, known, saved });
}

/** Parses the filter of a mute as a person types it; a problem is mrkdwn. */
export function parseMuteFilter(
  text: string,
  now: Date,
  known: AlertValues,
  saved: readonly SavedFilter[],
): ParsedSearch {
  return parseNewAlerts('mute', { text, now, known, saved });
}

type FilterOwner = 'watch' | 'mute';

/** Parses a filter that decides about new alerts, so it has neither a status nor a time nor an order. */
function parseNewAlerts(
  owner: FilterOwner,
  {
    text,
    now,
    known,
    saved,
  }: { text: string; now: Date; known: AlertValues; saved: readonly SavedFilter[] },
): ParsedSearch {
  const typed = text.trim();
  const refused = refusedKeysIn(typed);
  if (refused.length > 0) return { problem: formatRefusals(owner, refused) };
  const [, policy, count] = /^([^"“”]+?)\s+above\s+(\d+)$/i.exec(typed) ?? [];
  if (owner === 'watch' && policy !== undefined)
    return { problem: complianceMeant(`${policy} above ${count}`) };
  const parsed = parseAlertSearch(typed, now, known, undefined, saved);
  if ('problem' in parsed) return parsed;
  const { search, used } = parsed;
  const { status, since } = search;
  const whose = used ? `The saved filter is ${formatCommand(used.search)}. ` : '';
  // From words such as `today`, or a saved filter. `all` means no filter.
  if (status === 'cleared') return { problem: `${whose}${formatRefusals(owner, ['status'])}` };
  if (since !== undefined) return { problem: `${whose}${formatRefusals(owner, ['since'])}` };
  return { search: withoutListOptions(search), used };
}

const refusedKeys = ['status', 'since', 'sort'] as const;
type RefusedKey = (typeof refusedKeys)[number];

/** Checked before their values, because help with the spelling of a value would mislead. */
function refusedKeysIn(text: string): RefusedKey[] {
  const typed = parseTypedFilter(text, searchKeys, { hasWords: true });
  if ('problem' in typed) return [];
  const { values } = typed;
  return refusedKeys.filter(
    (key) => values[key] !== undefined && values[key].toLowerCase() !== defaultSearch[key],
  );
}

function complianceMeant(typed: string): string {
  const meant = code(`/belay watch compliance ${typed}`, 150);
  return `Did you mean ${meant}? To watch alerts with the word “above”, put it in quotation marks.`;
}

function formatRefusals(owner: FilterOwner, keys: RefusedKey[]): string {
  return owner === 'mute' ? muteRefusal : keys.map(formatWatchRefusal).join('\n');
}

const muteRefusal =
  "A mute can't have a time, a status or an order. To set its end, add `until`, such as `/belay mute policy:gold until friday 14:00`.";

function formatWatchRefusal(key: RefusedKey): string {
  const why = {
    status: 'posts new alerts and updates them until they are cleared',
    since: 'posts new alerts only',
    sort: 'posts alerts in the order in which they are raised',
  }[key];
  const what = { status: 'the status', since: 'the time', sort: 'the order' }[key];
  return `Remove ${what}, because a watch ${why}. To list alerts, run \`/belay alerts\`.`;
}
