import type { LocalSlack } from './slack/local-slack.ts';

/** The last page of the app. */
export type InstallResult = { status: number; html: string };

/**
 * Installs the app as a person does in a browser: from the app's own page to Slack's and back, with
 * the cookies that the app sets. `targetId`: a workspace or an organization, `T…` or `E…`.
 */
export async function installApp(
  slack: Pick<LocalSlack, 'install'>,
  installUrl: string,
  targetId: string,
  slackUserId: string,
): Promise<InstallResult> {
  const page = await fetch(installUrl, { redirect: 'manual' });
  const cookies = page.headers.getSetCookie().map((cookie) => cookie.split(';', 1)[0]);
  const authorizeUrl = page.headers.get('location') ?? findLink(await page.text());
  const returned = await slack.install(targetId, slackUserId, { authorizeUrl });
  const last = await fetch(returned, { headers: { cookie: cookies.join('; ') } });
  return { status: last.status, html: await last.text() };
}

function findLink(html: string): string {
  const [, link] = /href="([^"]*\/oauth\/v2\/authorize[^"]*)"/.exec(html) ?? [];
  if (link === undefined) throw new Error(`The install page doesn't lead to Slack: ${html}`);
  return link.replaceAll('&amp;', '&');
}
