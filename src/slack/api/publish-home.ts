import type { HomeView } from '../ui/home.ts';
import { slackErrorCode } from './error-codes.ts';
import type { SlackClient } from './slack-client.ts';

/**
 * Replaces a person's Home tab. Returns Slack's hash of what is shown there now.
 * https://docs.slack.dev/reference/methods/views.publish
 */
export async function publishHome(
  slack: SlackClient,
  slackUserId: string,
  view: HomeView,
): Promise<string | undefined> {
  const { view: published } = await slack.views.publish({ user_id: slackUserId, view });
  return published?.hash;
}

/** `views.publish`: the app's configuration in Slack has no Home tab. */
export function isHomeDisabled(error: unknown): boolean {
  return slackErrorCode(error) === 'not_enabled';
}
