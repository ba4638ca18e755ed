import { type Message, notice } from '../../../slack/ui/blocks.ts';
import { channelMention, quote } from '../../../slack/ui/mrkdwn.ts';
import type { RequestResult } from '../request-approval.ts';

/** The reply to the requester. Without a request it repeats their reason, so it is not lost. */
export function requestedMessage(result: RequestResult, reason: string): Message {
  if (result.result === 'requested') {
    const where = channelMention(result.approval.channelId);
    return notice(`Your request is in ${where}. You will hear from Belay when it is decided.`);
  }
  if (result.result === 'requested-before') {
    return notice('You have sent this request already. It was not sent twice.');
  }
  return notice(`${notRequestedReason(result)}\n\nYour reason was:\n${quote(reason)}`);
}

type NotRequested = Exclude<RequestResult, { result: 'requested' | 'requested-before' }>;

function notRequestedReason(result: NotRequested): string {
  if (result.result === 'connection-replaced') {
    return 'An admin has just changed the connection in setup, so no request was made. Please ask again.';
  }
  if (result.result === 'guarded') {
    return `No request was made. ${result.why}`;
  }
  if (result.result === 'no-audience') {
    return 'Nobody but you would see a request here, so none was made. Ask in a channel where approvers are, or have an admin choose an approvals channel in `/belay setup`.';
  }
  if (result.result === 'no-approver') {
    return 'You are the only approver, and nobody approves their own request, so none was made. An admin can name another approver in `/belay setup`.';
  }
  return `Belay cannot post in ${channelMention(result.channelId)}, so no request was made. Invite Belay there, or have an admin choose another approvals channel in \`/belay setup\`.`;
}
