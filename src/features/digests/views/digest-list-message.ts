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
import { mention, moment, safe } from '../../../slack/ui/mrkdwn.ts';
import { whoMayChange } from '../../workspaces/index.ts';
import { type Digest, type DigestSettings, maxDigestsPerChannel } from '../digest.ts';
import {
  formatNextRun,
  formatParts,
  formatSchedule,
  formatScheduleInSentence,
} from './format-settings.ts';
import { editActionId, endActionId, newActionId } from './ids.ts';

/** The channel's digests, with buttons on those that the person may change. */
export function digestListMessage(
  channelId: string,
  digests: Digest[],
  {
    now,
    mayChange,
    resumed,
  }: {
    now: Date;
    mayChange: (digest: Digest) => boolean;
    /** Number of digests that were paused until now. */
    resumed: number;
  },
): Message {
  const newDigest = button({
    text: 'New digest…',
    actionId: newActionId,
    value: encodeValue({ channelId }),
  });
  const title = formatTitle(digests.length);
  const isFull = digests.length >= maxDigestsPerChannel;
  const blocks: KnownBlock[] = [
    section([digests.length === 0 ? title : `*${title}*`, ...formatResumed(resumed)].join('\n')),
    ...digests.flatMap((digest) => [
      scheduleBlock(digest, now),
      ...(mayChange(digest) ? [buttonsOf(digest)] : []),
    ]),
    isFull ? context(fullText) : actions([newDigest]),
    ...(digests.every(mayChange) ? [] : [context(whoMayChange('digest'))]),
  ];
  const lines = digests.map(({ settings }) => formatSchedule(settings));
  return message([title, ...formatResumed(resumed), ...lines].join('\n'), blocks);
}

function formatTitle(count: number): string {
  if (count === 0) {
    return 'There is no digest here. A digest tells at set times what is new, what is still open and how policies are kept.';
  }
  return count === 1 ? 'One digest here' : `${count} digests here`;
}

const fullText = `A conversation has at most ${maxDigestsPerChannel} digests. End one to make room.`;

export const tooManyMessage: Message = notice(`Nothing was saved. ${fullText}`);

export function savedMessage(
  settings: DigestSettings,
  {
    nextRunAt,
    resumed,
  }: {
    /** Undefined for a digest that is due. */
    nextRunAt: Date | undefined;
    resumed: number;
  },
): Message {
  const saved = `Saved: ${safe(formatSchedule(settings), 200)}. ${formatNextRun(nextRunAt)}`;
  return notice([saved, ...formatResumed(resumed)].join('\n'));
}

/** For a form that was saved without a change. */
export function unchangedMessage(settings: DigestSettings, resumed: number): Message {
  const unchanged = `Nothing was changed: ${safe(formatSchedule(settings), 200)}.`;
  return notice([unchanged, ...formatResumed(resumed)].join('\n'));
}

/** For a form that was saved after somebody else had changed the digest. */
export function changedMeanwhileMessage({ settings, changedBy }: Digest): Message {
  const who = changedBy ? mention(changedBy) : 'Somebody';
  return notice(
    `${who} changed this digest while your form was open, so nothing of it was saved. It is now ${safe(formatScheduleInSentence(settings), 200)}, with ${formatParts(settings.parts)}. \`/belay digest\` shows and changes it.`,
  );
}

export function endedMessage({ settings }: Digest): Message {
  const schedule = safe(formatScheduleInSentence(settings), 200);
  return notice(`The digest has ended: ${schedule}. \`/belay digest\` shows those that are left.`);
}

export const goneMessage: Message = notice('This digest has ended already. Nothing was changed.');

/** For an *End* button in a list that shows earlier settings. */
export const changedSinceMessage: Message = notice(
  'This digest was changed after the list was made. Nothing was ended. `/belay digest` shows it as it is now.',
);

function formatResumed(resumed: number): string[] {
  if (resumed === 0) return [];
  return [
    resumed === 1
      ? 'A digest was paused and goes on now. Next time it tells all since the last one that arrived.'
      : `${resumed} digests were paused and go on now. Next time each tells all since its last one that arrived.`,
  ];
}

function scheduleBlock(digest: Digest, now: Date): KnownBlock {
  const { settings, createdBy, changedBy, nextRunAt, pausedReason } = digest;
  const silence = settings.whenEmpty === 'silence' ? ' · silent when there is nothing to tell' : '';
  const changed = changedBy ? `, changed by ${mention(changedBy)}` : '';
  const schedule = safe(formatSchedule(settings), 200);
  const isDue = nextRunAt <= now;
  const next = isDue ? 'one is due already and comes as soon as it can' : moment(nextRunAt);
  const state = pausedReason
    ? `:double_vertical_bar: Paused: ${pausedReason}\nSet up by`
    : `Next: ${next} · set up by`;
  return section(`*${schedule}*${silence}\n${state} ${mention(createdBy)}${changed}`);
}

function buttonsOf({ id, channelId, settings, version }: Digest): KnownBlock {
  const value = encodeValue({ channelId, digestId: id, version });
  const schedule = formatSchedule(settings);
  return actions([
    button({
      ...{ text: 'Edit…', actionId: editActionId, value },
      accessibilityLabel: `Edit the digest: ${schedule}`,
    }),
    button({
      ...{ text: 'End', actionId: endActionId, value, style: 'danger' },
      accessibilityLabel: `End the digest: ${schedule}`,
      confirm: confirmation({
        title: 'End this digest?',
        question: `${schedule}. Belay stops posting it here. What was posted stays.`,
        verb: 'End digest',
        isDanger: true,
      }),
    }),
  ]);
}
