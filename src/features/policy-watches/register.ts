import type { Clock } from '../../clock.ts';
import type { OriginRef } from '../../database/connection-origin.ts';
import { subDays } from '../../dates.ts';
import type { Listeners } from '../../slack/interactions/listeners.ts';
import type { Message } from '../../slack/ui/blocks.ts';
import type { PolicyChanges } from './store/all-changes.ts';
import { unreadSince } from './store/observation-health.ts';
import { changeListMessage, changePager, listedDays } from './views/change-list-message.ts';

/** The pages of `/belay policies changes`. Returns what shows the first one. */
export function registerPolicyChangeList(
  listeners: Listeners,
  { policyChanges, clock }: { policyChanges: PolicyChanges; clock: Clock },
): { showChanges: (of: OriginRef) => Promise<Message> } {
  async function show(of: OriginRef, start: number): Promise<Message> {
    const until = clock();
    const after = subDays(until, listedDays);
    const [{ changes, isComplete }, health] = await Promise.all([
      policyChanges.list({ ...of, after, until }),
      policyChanges.readHealth(of),
    ]);
    const unread = unreadSince(health, until);
    return changeListMessage(changes, { start, isComplete, unread });
  }

  listeners.pages(changePager, ({ teamId, connection, value }) =>
    show({ teamId, originId: connection?.originId }, value.start),
  );
  return { showChanges: (of) => show(of, 0) };
}
