import type { LocalSlack } from './slack/local-slack.ts';

/** One person's browser on the install pages of Belay or another app. It sends the app's cookie back. */
export function openBrowser({
  slack,
  publicUrl,
  origin = publicUrl,
  headers = {},
}: {
  slack: Pick<LocalSlack, 'install'>;
  /** The app's own address. */
  publicUrl: string;
  /** The address at which the app listens, if that differs, as behind a proxy. */
  origin?: string;
  /** Sent with each request, as a proxy does. */
  headers?: Record<string, string>;
}) {
  let cookie = '';
  async function get(url: string) {
    const response = await fetch(url, {
      headers: { ...headers, cookie },
      redirect: 'manual' as const,
    });
    const set = response.headers.get('set-cookie');
    if (set) cookie = set.split(';')[0] ?? '';
    return { status: response.status, headers: response.headers, html: await response.text() };
  }
  const begin = async () => {
    const { html } = await get(`${origin}/slack/install`);
    const href = /href="([^"]+\/oauth\/v2\/authorize[^"]*)"/.exec(html)?.[1];
    if (!href) throw new Error(`no link to Slack in ${html}`);
    return href.replaceAll('&amp;', '&');
  };
  return {
    get,
    begin,
    /** Opens the page, allows the app at Slack and comes back. `targetId` is `T…` or `E…`. */
    async install(targetId: string, slackUserId: string) {
      const returned = await slack.install(targetId, slackUserId, { authorizeUrl: await begin() });
      return get(`${origin}${returned.pathname}${returned.search}`);
    },
  };
}
