import { createHash } from 'node:crypto';
import type { PageResponse } from '../../../slack/server/page.ts';

const style = `
:root { color-scheme: light dark; }
body { font: 1.125rem/1.5 system-ui, sans-serif; margin: 0; padding: 2rem 1rem; }
main { max-width: 36rem; margin: 0 auto; overflow-wrap: anywhere; }
h1 { font-size: 1.75rem; line-height: 1.2; margin: 0 0 1rem; }
a.button { display: inline-block; padding: 0.75rem 1.5rem; border-radius: 0.5rem;
  background: #4a154b; color: #fff; font-weight: 600; text-decoration: none; }
a.button:focus-visible { outline: 3px solid #1264a3; outline-offset: 3px; }
`;

/** Nothing but this style is loaded or run, and no other site can show the page in a frame. */
const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  ...["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"],
].join('; ');

export type PageContents = {
  status?: number;
  title: string;
  /** Each is text, which is escaped. */
  paragraphs: string[];
  button?: { label: string; href: string } | undefined;
};

/** A whole page. The browser keeps no copy, and tells no other site its address. */
export function page({ status = 200, title, paragraphs, button }: PageContents): PageResponse {
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} – Belay</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
${paragraphs.map((text) => `<p>${escapeHtml(text)}</p>`).join('\n')}
${button ? `<p><a class="button" href="${escapeHtml(button.href)}">${escapeHtml(button.label)}</a></p>` : ''}
</main>
</body>
</html>
`;
  return {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    },
    html,
  };
}

function escapeHtml(text: string): string {
  const entities: Record<string, string> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
  };
  return text.replaceAll(/[&<>"]/g, (character) => entities[character] ?? character);
}
