import type { Clock } from '../../clock.ts';
import type { Person } from '../../slack/api/person.ts';
import { type Message, notice } from '../../slack/ui/blocks.ts';
import { mention } from '../../slack/ui/mrkdwn.ts';
import { isAdmin } from '../workspaces/index.ts';
import type { StandInStore } from './store/stand-in-store.ts';
import { standInEndedMessage } from './views/stand-in-messages.ts';

/** Ends the stand-in of an approver: by the approver, or by an admin. Resolves to the reply. */
export async function endStandIn(
  { teamId, person, approver }: { teamId: string; person: Person; approver: string },
  { store, clock }: { store: Pick<StandInStore, 'end'>; clock: Clock },
): Promise<Message> {
  const by = person.slackUserId;
  if (approver !== by && !isAdmin(person)) return notAllowed;
  const ended = await store.end({
    teamId,
    approver,
    by,
    at: clock(),
    notices: (one) =>
      [one.standIn, one.approver]
        .filter((to) => to !== by)
        .map((to) => ({ to, message: standInEndedMessage(one, by) })),
  });
  if (!ended) return approver === by ? noneOfYours : noneOfTheirs;
  return notice(`${mention(ended.standIn)} no longer stands in for ${mention(ended.approver)}.`);
}

const notAllowed = notice('Only the approver and admins can end a stand-in. Nothing was changed.');
const noneOfYours = notice('You have no stand-in. Run `/belay away` to name one.');
const noneOfTheirs = notice('This stand-in has already ended.');
