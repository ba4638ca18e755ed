import type { Clock } from '../../clock.ts';
import type { OriginRef } from '../../database/connection-origin.ts';
import { subDays } from '../../dates.ts';
import { linkToMessage } from '../../slack/api/post.ts';
import type { SlackClient } from '../../slack/api/slack-client.ts';
import type { Listeners } from '../../slack/interactions/listeners.ts';
import type { Message } from '../../slack/ui/blocks.ts';
import type { PolicyChanges } from './store/all-changes.ts';
import { unreadSince } from './store/observation-health.ts';
import { changeListMessage, changePager, listedDays, pageOf } from './views/change-list-message.ts';

/** The pages of `/belay policies changes`. Returns what shows the first one. */
export function registerPolicyChangeList(
  listeners: Listeners,
  { policyChanges, clock }: { policyChanges: PolicyChanges; clock: Clock },
): { showChanges: (of: OriginRef, slack: SlackClient) => Promise<Message> } {
  async function show(of: OriginRef, start: number, slack: SlackClient): Promise<Message> {
    const until = clock();
    const after = subDays(until, listedDays);
    const [{ changes, isComplete }, health] = await Promise.all([
      policyChanges.list({ ...of, after, until }),
      policyChanges.readHealth(of),
    ]);
    const unread = unreadSince(health, until);
    const links = await Promise.all(
      pageOf(changes, start).shown.map(async (change) => {
        const { madeBy } = change;
        const link = madeBy && (await linkToMessage(slack, madeBy, 'View request'));
        return link ? [[change, link] as const] : [];
      }),
    );
    return changeListMessage(changes, { start, isComplete, unread, links: new Map(links.flat()) });
  }

  listeners.pages(changePager, ({ teamId, connection, value, slack }) =>
    show({ teamId, originId: connection?.originId }, value.start, slack),
  );
  return { showChanges: (of, slack) => show(of, 0, slack) };
}
