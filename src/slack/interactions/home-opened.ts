import type { App } from '@slack/bolt';
import { z } from 'zod';
import type { HomeOpened } from './interaction.ts';
import { originOf } from './open-client.ts';

const opened = z.object({
  tab: z.literal('home'),
  user: z.string(),
  event_ts: z.coerce.number(),
  channel: z.string().optional(),
  view: z.object({ hash: z.string() }).optional(),
});

/**
 * Slack sends the event also for the tab with the messages, and may send it twice. `open` never throws.
 * https://docs.slack.dev/reference/events/app_home_opened
 */
export function listenForHomes(app: App, open: (home: HomeOpened) => Promise<void>): void {
  app.event('app_home_opened', async ({ event, context }) => {
    const { data } = opened.safeParse(event);
    const { teamId } = originOf(context);
    if (!data || teamId === '') return;
    const { user: slackUserId, channel: directChannelId, view } = data;
    const repeatedFrom = context.retryNum ? new Date(data.event_ts * 1000) : undefined;
    await open({ teamId, slackUserId, directChannelId, shownHash: view?.hash, repeatedFrom });
  });
}
