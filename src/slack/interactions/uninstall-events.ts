import type { App } from '@slack/bolt';
import { z } from 'zod';
import type { Logger } from '../../logger.ts';

/** What an event says about an installation of the app. */
export type UninstallEvent = {
  appId: string;
  /** That of the organization (`E…`) for an installation in all of it. */
  teamId: string;
  /** The end of the second in which it happened, by Slack's clock. */
  at: Date;
  /** Else only tokens were revoked, which may have been replaced. */
  isUninstall: boolean;
};

/** https://docs.slack.dev/apis/events-api#events-JSON: an organization's installation has no team. */
const envelope = z.object({
  api_app_id: z.string(),
  team_id: z.string().nullish(),
  enterprise_id: z.string().nullish(),
  event_time: z.number(),
});

/** Of the bot, or of people, whose tokens Belay doesn't have. */
const revoked = z.object({ tokens: z.object({ bot: z.array(z.string()).default([]) }) });

/**
 * The app was uninstalled, or its tokens were revoked: Slack sends both events, in any order, and may
 * send them late or twice. https://docs.slack.dev/reference/events/app_uninstalled
 */
export function listenForUninstalls(
  app: App,
  report: (event: UninstallEvent) => Promise<void>,
  log: Logger,
): void {
  async function handle(body: unknown, isUninstall: boolean): Promise<void> {
    const { data } = envelope.safeParse(body);
    const teamId = data?.team_id ?? data?.enterprise_id;
    if (!data || !teamId) return log.warn('ignored an uninstall that names no workspace');
    const { api_app_id: appId, event_time: seconds } = data;
    try {
      await report({ appId, teamId, at: new Date((seconds + 1) * 1000), isUninstall });
    } catch (error) {
      // The next periodic check finds the uninstall too.
      log.error({ teamId, err: error }, "couldn't handle an uninstall");
    }
  }

  app.event('app_uninstalled', ({ body }) => handle(body, true));
  app.event('tokens_revoked', async ({ body, event }) => {
    if ((revoked.safeParse(event).data?.tokens.bot.length ?? 0) > 0) await handle(body, false);
  });
}
