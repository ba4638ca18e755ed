import { openBrowser } from '../../playground/install-browser.ts';
import { people } from '../../playground/people.ts';
import type { LocalSlack } from '../../playground/slack/local-slack.ts';
import { timings } from '../../src/features/installations/timings.ts';

const refreshAfterSeconds = 20;

/**
 * Tokens that Slack rotates. Belay refreshes one as long before it expires as in operation, which here
 * is soon after it was issued.
 */
export const rotatingTokens = {
  rotatesTokens: true,
  tokenLifeSeconds: timings.aheadMs / 1000 + refreshAfterSeconds,
};

/**
 * Installs Belay with its page, as an admin does, if its environment is one for OAuth. The page is that
 * of any replica, wherever the public URL leads.
 */
export async function installBelay({
  slack,
  teamId,
  env,
  requestUrl,
}: {
  slack: LocalSlack;
  teamId: string;
  env: Record<string, string>;
  requestUrl: string;
}): Promise<void> {
  const { BELAY_PUBLIC_URL: publicUrl } = env;
  if (publicUrl === undefined) return;
  const browser = openBrowser({ slack, publicUrl, origin: new URL(requestUrl).origin });
  const { status, html } = await browser.install(teamId, people.cleo);
  if (status !== 200) throw new Error(`Belay was not installed: ${html}`);
}
