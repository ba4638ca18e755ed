import { type Message, notice } from '../../slack/ui/blocks.ts';
import type { RequestContext } from '../request-context.ts';
import { refusalMessage } from '../views/refusal-message.ts';

/** Notifies the person of the outcome of a request as its requester is; resolves to the reply. */
export async function followRequest(
  {
    teamId,
    approvalId: id,
    slackUserId,
  }: { teamId: string; approvalId: string; slackUserId: string },
  { store, bind, clock }: RequestContext,
): Promise<Message> {
  const ref = { teamId, id };
  const found = await store.find(ref);
  if (!found) return notice('This request no longer exists.');
  if (found.requester === slackUserId) {
    return notice("This is your request. You'll get a direct message with the outcome.");
  }
  const followed = await store.follow({ ...ref, slackUserId, at: clock() });
  if (followed) return notice("You'll get a direct message with the outcome of this request.");
  const ended = (await store.find(ref)) ?? found;
  return refusalMessage({ result: 'request_closed', approval: ended }, bind);
}
