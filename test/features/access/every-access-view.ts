import {
  standInEndedMessage,
  standInMessage,
  standInNamedMessage,
  youStandInMessage,
} from '../../../src/features/access/views/stand-in-messages.ts';
import { standInModal } from '../../../src/features/access/views/stand-in-modal.ts';
import { withErrors } from '../../../src/slack/ui/form.ts';
import { channelId, sampleNow as endsAt, people } from '../sample-place.ts';

/** Every message and modal about stand-ins, as `everyView` lists them. */
export function everyAccessView(): Record<string, unknown[]> {
  const one = { approver: people.cleo, standIn: people.ben, endsAt };
  const others = [one, { ...one, approver: people.dee }];
  return {
    standInMessage: [
      standInMessage({ own: undefined, others: [], mayName: true }),
      standInMessage({ own: undefined, others: [], mayName: false }),
      standInMessage({ own: one, others, mayName: true }),
      standInMessage({ own: one, others: [], mayName: false }),
    ],
    standInNamedMessage: [standInNamedMessage(one)],
    youStandInMessage: [youStandInMessage(one)],
    standInEndedMessage: [standInEndedMessage(one, people.cleo)],
    standInModal: [
      standInModal({}, channelId),
      withErrors(standInModal({ person: people.ben, until: '2026-12-01' }, channelId), {
        until: 'Choose today or a later day.',
      }),
    ],
  };
}
