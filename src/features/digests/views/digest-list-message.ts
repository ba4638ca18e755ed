import { thisPlace } from '../../../slack/api/channel.ts';
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
import { mention, safe } from '../../../slack/ui/mrkdwn.ts';
import { plural } from '../../../slack/ui/words.ts';
import { whoMayChange } from '../../../workspace/call.ts';
import { type FindConnection, formatConnectionName } from '../../../workspace/choose-connection.ts';
import { type Digest, type DigestSettings, maxDigestsPerChannel } from '../digest.ts';
import {
  formatFilters,
  formatNextRun,
  formatParts,
  formatSafeSchedule,
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
    findConnection,
    mayChange,
    resumed,
  }: {
    now: Date;
    findConnection: FindConnection;
    mayChange: (digest: Digest) => boolean;
    /** Number of digests that were paused until now. */
    resumed: number;
  },
): Message {
  const newDigest = button({
    text: 'New digest',
    actionId: newActionId,
    value: encodeValue({ channelId }),
  });
  const title = formatTitle(digests.length, thisPlace(channelId));
  const isFull = digests.length >= maxDigestsPerChannel;
  return message([
    section([digests.length === 0 ? title : `*${title}*`, ...formatResumed(resumed)].join('\n')),
    ...digests.flatMap((digest) => [
      scheduleBlock(digest, findConnection(digest.originId)?.name, now),
      ...(mayChange(digest) ? [buttonsOf(digest)] : []),
    ]),
    isFull ? context(fullText) : actions([newDigest]),
    ...(digests.every(mayChange) ? [] : [context(whoMayChange('digest'))]),
  ]);
}

function formatTitle(count: number, where: string): string {
  return count === 0
    ? `No digests in ${where}. A digest is a scheduled summary of alerts and compliance. Run \`/belay digest new\` to add one.`
    : `${plural(count, 'digest')} in ${where}`;
}

const fullText = `A channel can have at most ${maxDigestsPerChannel} digests. End one before you add another.`;

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
  const facts = [
    formatSafeSchedule(settings),
    formatNextRun(nextRunAt),
    ...formatFilters(settings),
  ];
  const saved = `Digest saved: ${facts.join(' · ')}`;
  return notice([saved, ...formatResumed(resumed)].join('\n'));
}

/** For a form that was saved without a change. */
export function unchangedMessage(settings: DigestSettings, resumed: number): Message {
  const unchanged = `Nothing was changed: ${formatSafeSchedule(settings)}`;
  return notice([unchanged, ...formatResumed(resumed)].join('\n'));
}

/** For a form that was saved after somebody else had changed the digest. */
export function changedMeanwhileMessage({ settings, changedBy }: Digest): Message {
  const who = changedBy ? mention(changedBy) : 'Somebody';
  const current = [
    formatSafeSchedule(settings),
    formatParts(settings.parts),
    ...formatFilters(settings),
  ];
  return notice(
    [
      `Your changes weren't saved: ${who} changed this digest while your form was open.`,
      `Current settings: ${current.join(' · ')}`,
      'Run `/belay digest` to edit this digest.',
    ].join('\n'),
  );
}

export function endedMessage({ settings }: Digest): Message {
  return notice(`Digest ended: ${formatSafeSchedule(settings)}`);
}

export const goneMessage: Message = notice('This digest was already ended. Nothing was changed.');

/** For an *End digest* button in a list that shows earlier settings. */
export const changedSinceMessage: Message = notice(
  "This digest was changed after the list was shown, so it wasn't ended. To see its current settings, run `/belay digest`.",
);

function formatResumed(resumed: number): string[] {
  if (resumed === 0) return [];
  return [
    `${plural(resumed, 'paused digest')} resumed. ${resumed === 1 ? 'The next post covers everything since the last one.' : 'The next post of each covers everything since its last one.'}`,
  ];
}

function scheduleBlock(digest: Digest, connectionName: string | undefined, now: Date): KnownBlock {
  const { settings, createdBy, changedBy, nextRunAt, pausedReason } = digest;
  const schedule = `*${safe(formatSchedule(settings), 200)}*${formatConnectionName(connectionName)}`;
  const next = formatNextRun(nextRunAt <= now ? undefined : nextRunAt);
  const silence = settings.whenEmpty === 'silence' ? ' · no post if nothing to report' : '';
  const changed = changedBy ? `, changed by ${mention(changedBy)}` : '';
  return section(
    [
      pausedReason ? schedule : `${schedule} · ${next}`,
      ...(pausedReason ? [`:double_vertical_bar: *Paused*: ${pausedReason}`] : []),
      `${formatParts(settings.parts)}${silence}`,
      ...formatFilters(settings),
      `Added by ${mention(createdBy)}${changed}`,
    ].join('\n'),
  );
}

function buttonsOf({ id, channelId, settings, version }: Digest): KnownBlock {
  const value = encodeValue({ channelId, digestId: id, version });
  const schedule = formatScheduleInSentence(settings);
  return actions([
    button({
      text: 'Edit',
      actionId: editActionId,
      value,
      accessibilityLabel: `Edit digest: ${schedule}`,
    }),
    button({
      text: 'End digest',
      actionId: endActionId,
      value,
      accessibilityLabel: `End digest: ${schedule}`,
      confirm: confirmation({
        title: 'End digest?',
        question: `${formatSchedule(settings)}. Belay will no longer post this digest. Posted digests stay.`,
        verb: 'End digest',
        isDanger: true,
      }),
    }),
  ]);
}
