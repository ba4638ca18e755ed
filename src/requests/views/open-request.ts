import { actions, button, type KnownBlock, section } from '../../slack/ui/blocks.ts';
import { encodeValue } from '../../slack/ui/codec.ts';
import { channelMention, mention, moment, stripMarkup } from '../../slack/ui/mrkdwn.ts';
import type { Action, RequestButton } from '../action.ts';
import type { Approval } from '../approval.ts';
import { followActionId } from './ids.ts';

/** Asks a person whether to follow the request that is open, or to make the same one with `again`. */
export function openRequestBlocks(
  { id, requester, requestedAt, channelId }: Approval,
  action: Action,
  { slackUserId, again }: { slackUserId: string; again: RequestButton },
): KnownBlock[] {
  const isOwn = requester === slackUserId;
  const who = isOwn ? 'You' : mention(requester);
  const text = `${who} already requested approval to ${action.summary} ${moment(requestedAt)} in ${channelMention(channelId)}.`;
  if (isOwn) return [section(`${text} That request is still open.`), actions([button(again)])];
  const follow = button({
    text: 'Follow request',
    actionId: followActionId,
    value: encodeValue({ approvalId: id }),
    style: 'primary',
    accessibilityLabel: `Follow request: ${stripMarkup(action.summary)}`,
  });
  const hint = 'Follow that request to get a direct message with the outcome.';
  return [section(`${text} ${hint}`), actions([follow, button(again)])];
}
