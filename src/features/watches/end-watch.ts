import type { ActionResponse, Interaction } from '../../slack/interactions/interaction.ts';
import type { ChangedBy, Ref } from '../../subscriptions/subscription.ts';
import { endedMessage, goneMessage } from './views/watch-notices.ts';

/** Ends a watch of any kind, which the person may change. */
export async function endWatch(
  { teamId, person }: Interaction,
  { id }: { id: string },
  store: { end: (change: Ref & ChangedBy) => Promise<object | undefined> },
  at: Date,
): Promise<ActionResponse> {
  const isEnded = await store.end({ teamId, id, by: person.slackUserId, at });
  return { reply: isEnded ? endedMessage : goneMessage };
}
