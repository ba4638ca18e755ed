import {
  actions,
  button,
  confirmation,
  context,
  type KnownBlock,
  type Message,
  message,
  section,
} from '../../../slack/ui/blocks.ts';
import { encodeValue } from '../../../slack/ui/codec.ts';
import { cutMrkdwn, mention, moment, stripMarkup } from '../../../slack/ui/mrkdwn.ts';
import { formatSearch } from '../../alerts/index.ts';
import { whoMayChange } from '../../workspaces/index.ts';
import type { Watch } from '../watch.ts';
import type { ListedWatch } from '../watch-store.ts';
import { shownWatch } from './edit-modal.ts';
import { capitalizedWatchWords } from './format-watch.ts';
import { editActionId, endActionId } from './ids.ts';
import { resumedLine } from './watch-notice-message.ts';

/** The watches of a channel, oldest first, with buttons for those that the person may change. */
export function watchListMessage({
  watches,
  resumed,
  trouble,
  mayChange,
  now,
}: {
  watches: ListedWatch[];
  /** How many were paused until now. */
  resumed: number;
  /** Why the others could not go on, as mrkdwn. */
  trouble?: string | undefined;
  mayChange: (watch: Watch) => boolean;
  now: Date;
}): Message {
  const title = titleOf(watches.length);
  const news = [...resumedLine(resumed), ...stillPausedLine(trouble)];
  const lines = watches.map((watch) => linesOf(watch, now));
  const blocks: KnownBlock[] = [
    section([`*${title}*`, ...news].join('\n')),
    ...watches.flatMap((watch, index) => [
      section(lines[index] ?? ''),
      ...(mayChange(watch) ? [buttonsOf(watch, now)] : []),
    ]),
    context(footer(watches)),
  ];
  return message([title, ...news, ...lines].join('\n'), blocks);
}

function stillPausedLine(trouble: string | undefined): string[] {
  if (!trouble) return [];
  return [`:warning: What is paused could not go on. ${trouble} \`/belay watch\` tries it again.`];
}

function titleOf(count: number): string {
  if (count === 0) return 'There is no watch here';
  return count === 1 ? 'One watch here' : `${count} watches here`;
}

function linesOf(watch: ListedWatch, now: Date): string {
  const { search, createdBy, createdAt, changedBy, changedAt, pausedReason, trouble } = watch;
  const changed = changedBy && changedAt && `changed by ${mention(changedBy)} ${moment(changedAt)}`;
  const by = [`Set up by ${mention(createdBy)} ${moment(createdAt)}`, changed, toldOf(watch)];
  const lines = [
    capitalizedWatchWords(search, now),
    by.filter(Boolean).join(' · '),
    pausedReason && `:double_vertical_bar: Paused: ${pausedReason}`,
    trouble && `:warning: Not up to date since ${moment(trouble.since)}: ${trouble.words}`,
  ];
  return cutMrkdwn(lines.filter(Boolean).join('\n'), 2900);
}

function toldOf({ postedCount, countedCount }: Watch): string {
  if (postedCount + countedCount === 0) return 'nothing posted so far';
  const posted = postedCount === 1 ? '1 alert posted' : `${postedCount} alerts posted`;
  return countedCount === 0 ? posted : `${posted}, ${countedCount} counted in summaries`;
}

function buttonsOf(watch: Watch, now: Date): KnownBlock {
  const what = stripMarkup(capitalizedWatchWords(watch.search, now));
  const value = encodeValue(shownWatch(watch));
  return actions([
    button({
      text: 'Edit…',
      actionId: editActionId,
      value,
      accessibilityLabel: `Edit the watch: ${what}`,
    }),
    button({
      text: 'End',
      actionId: endActionId,
      value,
      style: 'danger',
      accessibilityLabel: `End the watch: ${what}`,
      confirm: confirmation({
        title: 'End this watch?',
        question: `${what}. Belay stops posting them here. What was posted stays.`,
        verb: 'End watch',
        isDanger: true,
      }),
    }),
  ]);
}

/** The last one is no filter. */
const examples = ['severity:error', ''];

function footer(watches: Watch[]): string {
  const taken = watches.map(({ search }) => formatSearch(search));
  const example = examples.find((one) => !taken.includes(one)) ?? 'policy:Gold';
  return `\`/belay watch ${example || 'all'}\` sets up ${watches.length > 0 ? 'another' : 'one'}; filters are those of \`/belay alerts\` without status, since and sort, and \`all\` is no filter. ${whoMayChange('watch')}`;
}
