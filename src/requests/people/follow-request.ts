import type { Person } from '../../slack/api/person.ts';
import { type KnownBlock, type Message, notice } from '../../slack/ui/blocks.ts';
import type { RequestButton } from '../action.ts';
import type { DecisionClick } from '../decide-approval.ts';
import type { RequestContext } from '../request-context.ts';
import type { RequestedChange } from '../store/following.ts';
import { refusalMessage } from '../views/refusal-message.ts';
import { openRequestBlocks } from '../views/requested-message.ts';

/** `again`: the button that opens the form anyway. */
type OpenQuestion = RequestedChange & { person: Person; again: RequestButton };

/** Asks a person whether to follow the open request for the change that they want, if there is one. */
export async function askAboutOpen(
  { person: { slackUserId }, again, ...change }: OpenQuestion,
  { store, bind, clock }: RequestContext,
): Promise<KnownBlock[] | undefined> {
  const open = await store.findOpen({ ...change, at: clock() });
  return open && openRequestBlocks(open, bind(open), { slackUserId, again });
}

/** Notifies the person of the outcome of a request as its requester is; resolves to the reply. */
export async function followRequest(
  { teamId, approvalId: id, person: { slackUserId } }: DecisionClick,
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
