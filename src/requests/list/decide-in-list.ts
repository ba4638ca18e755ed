import { type Message, notice } from '../../slack/ui/blocks.ts';
import type { DecideInput } from '../decide-approval.ts';
import type { RequestContext } from '../request-context.ts';
import type { RequestPage } from '../views/ids.ts';
import { formatOwnDecision, type OwnDecision } from '../views/request-list-message.ts';
import { type ListReader, showRequests } from './show-requests.ts';

type Click = Pick<DecideInput, 'teamId' | 'approvalId' | 'person'>;

export type DecideInListInput = ListReader &
  Pick<DecideInput, 'approvalId' | 'reason'> & { to: OwnDecision; page: RequestPage };

/** Decides or cancels a request of a list, and resolves to the list as it is then, with the outcome. */
export async function decideInList(
  { approvalId, to, reason, page, ...reader }: DecideInListInput,
  {
    decide,
    cancel,
    abort,
    ...context
  }: RequestContext & {
    /** All resolve to the reply for a person who was refused. */
    decide: (input: Click & DecideInput) => Promise<Message | undefined>;
    cancel: (input: Click) => Promise<Message | undefined>;
    abort: (input: Click) => Promise<Message | undefined>;
  },
): Promise<Message> {
  const { teamId, person } = reader;
  const click = { teamId, person, approvalId };
  const act = () => {
    if (to === 'canceled') return cancel(click);
    if (to === 'aborted') return abort(click);
    return decide({ ...click, to, ...(reason && { reason }) });
  };
  const refusal = await act();
  const decided = refusal ? undefined : await context.store.find({ teamId, id: approvalId });
  const outcome = decided ? formatOwnDecision(decided, context.bind(decided), to) : refusal?.text;
  return showRequests({ ...reader, page, outcome }, context).catch((error: unknown) => {
    // The outcome of the request must not be lost because the list can't be rendered.
    if (!outcome) throw error;
    context.log.error({ teamId, err: error }, "couldn't show the requests after a decision");
    return notice(outcome);
  });
}
