import { openBrowser } from '../../playground/install-browser.ts';
import { oauthVariables } from '../../playground/make-environment.ts';
import { people } from '../../playground/people.ts';
import type { LocalSlack } from '../../playground/slack/local-slack.ts';
import type { Workspace } from '../../playground/slack/workspace.ts';
import { timings } from '../../src/features/installations/timings.ts';

/** Nothing listens there: every process of Belay serves the install page, and the browser goes to one. */
const publicUrl = 'http://127.0.0.1:9';

/**
 * Belay refreshes a token as long before its expiry as in production, which is soon after it was
 * issued here.
 */
const refreshAfterSeconds = 20;
const tokenLifeSeconds = timings.aheadMs / 1000 + refreshAfterSeconds;

/**
 * Prepares a workspace, before its Slack starts, for Belay with a bot token, or with OAuth and tokens
 * that rotate. Returns the environment variables with its credentials.
 */
export function credentialVariables(workspace: Workspace, oauth: boolean): Record<string, string> {
  const { app } = workspace;
  if (!oauth) return { SLACK_BOT_TOKEN: app.botToken };
  workspace.isInstalled = false;
  Object.assign(app, { rotatesTokens: true, tokenLifeSeconds, redirectUrls: [publicUrl] });
  return oauthVariables(app, publicUrl);
}

/** Installs Belay with the page of one of its processes, as an admin does. */
export async function installBelay({
  slack,
  teamId,
  requestUrl,
}: {
  slack: LocalSlack;
  teamId: string;
  requestUrl: string;
}): Promise<void> {
  const browser = openBrowser({ slack, publicUrl, origin: new URL(requestUrl).origin });
  const { status, html } = await browser.install(teamId, people.cleo);
  if (status !== 200) throw new Error(`Belay was not installed: ${html}`);
}
