import type { Outgoing } from '../../outbox/message.ts';
import type { Message } from '../../slack/ui/blocks.ts';
import {
  troubleMessage,
  troubleOverMessage,
  troubleReplacedMessage,
} from './views/watch-notice-message.ts';
import type { Watch } from './watch.ts';

/** A time in which the watches of a connection saw nothing, or not everything. */
export type Outage = { connectionId: string; since: Date };

export function troubleNotice(
  spell: Outage,
  cause: { words: string; isPartial: boolean },
): Outgoing {
  return aboutSpell(spell, troubleMessage(cause));
}

/** To one channel; a watch of it that began anew meanwhile has not posted what came before that. */
export function troubleOverNotice(spell: Outage, at: Date, there: Watch[]): Outgoing {
  const { since } = spell;
  const isCaughtUp = there.every(({ anchor }) => !anchor || anchor <= since);
  const message = troubleOverMessage({ since, until: at, isCaughtUp });
  return { ...aboutSpell(spell, message), onlyEdits: true };
}

/** When another connection took the place of the one in trouble. */
export function troubleReplacedNotice(spell: Outage): Outgoing {
  return { ...aboutSpell(spell, troubleReplacedMessage()), onlyEdits: true };
}

/** One message for each spell of trouble: it is edited when the trouble is over. */
function aboutSpell({ connectionId, since }: Outage, message: Message): Outgoing {
  return { subject: `watches:trouble:${connectionId}:${since.getTime()}`, message };
}
