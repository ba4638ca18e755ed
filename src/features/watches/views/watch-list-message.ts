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
import { capitalize, plural } from '../../../slack/ui/words.ts';
import { formatSearch } from '../../alerts/index.ts';
import { whoMayChange } from '../../workspaces/index.ts';
import type { ListedWatch } from '../store/watch-store.ts';
import type { Watch } from '../watch.ts';
import { editActionId, endActionId, shownWatch } from './ids.ts';
import { formatResumed, formatWatch } from './watch-notices.ts';

/** The watches of a channel, oldest first, with buttons for those that the person may change. */
export function watchListMessage({
  watches,
  resumed,
  resumeProblem,
  mayChange,
  now,
}: {
  watches: ListedWatch[];
  /** How many paused watches the command has resumed. */
  resumed: number;
  /** Why paused watches could not be resumed, as mrkdwn. */
  resumeProblem?: string | undefined;
  mayChange: (watch: Watch) => boolean;
  now: Date;
}): Message {
  const title = titleOf(watches.length);
  const news = [...formatResumed(resumed), ...formatResumeProblem(resumeProblem)];
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

function formatResumeProblem(problem: string | undefined): string[] {
  if (!problem) return [];
  return [`:warning: What is paused could not go on. ${problem} \`/belay watch\` tries it again.`];
}

function titleOf(count: number): string {
  if (count === 0) return 'There is no watch here';
  return count === 1 ? 'One watch here' : `${count} watches here`;
}

function linesOf(watch: ListedWatch, now: Date): string {
  const { search, createdBy, createdAt, changedBy, changedAt, pausedReason, outage } = watch;
  const changed = changedBy && changedAt && `changed by ${mention(changedBy)} ${moment(changedAt)}`;
  const by = [`Set up by ${mention(createdBy)} ${moment(createdAt)}`, changed, formatPosted(watch)];
  const lines = [
    capitalize(formatWatch(search, now)),
    by.filter(Boolean).join(' · '),
    pausedReason && `:double_vertical_bar: Paused: ${pausedReason}`,
    outage && `:warning: Not up to date since ${moment(outage.since)}: ${outage.reason}`,
  ];
  return cutMrkdwn(lines.filter(Boolean).join('\n'), 2900);
}

function formatPosted({ postedCount, countedCount }: Watch): string {
  if (postedCount + countedCount === 0) return 'nothing posted so far';
  const posted = `${plural(postedCount, 'alert')} posted`;
  return countedCount === 0 ? posted : `${posted}, ${countedCount} counted in summaries`;
}

function buttonsOf(watch: Watch, now: Date): KnownBlock {
  const what = stripMarkup(capitalize(formatWatch(watch.search, now)));
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

/** The empty one means `all`. */
const examples = ['severity:error', ''];

function footer(watches: Watch[]): string {
  const taken = watches.map(({ search }) => formatSearch(search));
  const example = examples.find((filter) => !taken.includes(filter)) ?? 'policy:Gold';
  return `\`/belay watch ${example || 'all'}\` sets up ${watches.length > 0 ? 'another' : 'one'}; filters are those of \`/belay alerts\` without status, since and sort, and \`all\` is no filter. ${whoMayChange('watch')}`;
}
