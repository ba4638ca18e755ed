import type { Actor } from '../../playground/act-as.ts';
import type { OpenView } from '../../playground/slack/protocol.ts';

/** Asks for a link to the page that takes the token for the form. */
export async function readLink(admin: Actor, form: OpenView): Promise<string> {
  await admin.press(form, 'Get link');
  const shown = await admin.seeDialog('Open the page');
  const href = /<(http[^|>]+\/setup\/token\?link=[\w.-]+)\|/.exec(
    JSON.stringify(shown.blocks),
  )?.[1];
  if (!href) throw new Error('the dialog has no link');
  await admin.close(shown);
  return href;
}

/** A browser that opens the link and sends its form. */
export async function openPage(href: string) {
  const response = await fetch(href);
  const html = await response.text();
  const cookie = response.headers.get('set-cookie')?.split(';')[0] ?? '';
  const hidden = new Map(
    [...html.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)].map(
      ([, name = '', value = '']) => [name, value] as const,
    ),
  );
  const send = async (
    token: string,
    { headers = {}, fields = {} }: { headers?: Record<string, string>; fields?: object } = {},
  ) => {
    const sent = await fetch(href, {
      method: 'POST',
      headers: { cookie, 'sec-fetch-site': 'same-origin', ...headers },
      body: new URLSearchParams({ ...Object.fromEntries(hidden), token, ...fields }),
    });
    return { status: sent.status, html: await sent.text() };
  };
  return { status: response.status, headers: response.headers, html, send };
}
