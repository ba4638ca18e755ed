import { type Message, notice } from '../../../slack/ui/blocks.ts';

const stop = 'To stop, run `/belay watch policies off`.';

export const startedMessage: Message = notice(
  `Watching policies in this channel. Belay reads the policies every 15 minutes and posts changes that were made outside Belay. ${stop}`,
);
export const alreadyWatchedMessage: Message = notice(
  `This channel already watches policies. Nothing was changed. ${stop}`,
);
export const endedMessage: Message = notice('This channel no longer watches policies.');
export const notWatchedMessage: Message = notice(
  "This channel doesn't watch policies. Nothing was changed. To start, run `/belay watch policies`.",
);
export const notYoursMessage: Message = notice(
  'Only the creator of a watch, approvers and admins can end it. Nothing was changed.',
);
export const notListedMessage: Message = notice(
  "This service doesn't list its policies, so Belay can't watch them. No watch was added.",
);
export const cannotPostPoliciesMessage: Message = notice(
  "No watch was added: Belay can't post here. In a channel, run `/invite @Belay`, then try again.",
);
