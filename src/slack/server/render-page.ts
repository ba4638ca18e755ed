import { createHash } from 'node:crypto';
import type { PageResponse } from './page.ts';

const style = `
:root { color-scheme: light dark; }
body { font: 1.125rem/1.5 system-ui, sans-serif; margin: 0; padding: 2rem 1rem; }
main { max-width: 36rem; margin: 0 auto; overflow-wrap: anywhere; }
h1 { font-size: 1.75rem; line-height: 1.2; margin: 0 0 1rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.25rem 1rem; }
dt { font-weight: 600; }
dd { margin: 0; }
label { display: block; font-weight: 600; margin-bottom: 0.25rem; }
input { box-sizing: border-box; width: 100%; padding: 0.75rem; font: inherit; margin-bottom: 1rem; }
.button { display: inline-block; border: 0; font: inherit; cursor: pointer; padding: 0.75rem 1.5rem; border-radius: 0.5rem;
  background: #4a154b; color: #fff; font-weight: 600; text-decoration: none; }
.button:focus-visible, input:focus-visible { outline: 3px solid #1264a3; outline-offset: 3px; }
`;

/** Nothing but this style is loaded or run, and no other site can show the page in a frame. */
const policy = (formAction: string) =>
  [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    ...["base-uri 'none'", `form-action ${formAction}`, "frame-ancestors 'none'"],
  ].join('; ');

type PageContents = {
  status?: number;
  title: string;
  /** Each is text, which is escaped. */
  paragraphs: string[];
  facts?: { label: string; value: string }[];
  button?: { label: string; href: string } | undefined;
  /** Posts to the page's own path. */
  form?: PageForm | undefined;
};

type PageForm = {
  hidden: Record<string, string>;
  /** A field whose text isn't shown. */
  secret: { name: string; label: string; maxLength: number };
  submit: string;
};

/** A whole page. The browser doesn't cache the page, and sends no other site its address. */
export function renderPage({
  status = 200,
  title,
  paragraphs,
  ...more
}: PageContents): PageResponse {
  const { facts = [], button, form } = more;
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
${facts.length > 0 ? `<dl>${facts.map(renderFact).join('')}</dl>` : ''}
${form ? renderForm(form) : ''}
${button ? `<p><a class="button" href="${escapeHtml(button.href)}">${escapeHtml(button.label)}</a></p>` : ''}
</main>
</body>
</html>
`;
  return {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy(form ? "'self'" : "'none'"),
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    },
    html,
  };
}

function renderFact({ label, value }: { label: string; value: string }): string {
  return `<dt>${escapeHtml(label)}</dt><dd>${escapeHtml(value)}</dd>`;
}

function renderForm({ hidden, secret, submit }: PageForm): string {
  const fields = Object.entries(hidden).map(
    ([name, value]) =>
      `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
  );
  return `<form method="post">
${fields.join('\n')}
<label for="secret">${escapeHtml(secret.label)}</label>
<input id="secret" type="password" name="${escapeHtml(secret.name)}" maxlength="${secret.maxLength}"
  autocomplete="off" spellcheck="false" required>
<button class="button" type="submit">${escapeHtml(submit)}</button>
</form>`;
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
