import type { ServerResponse } from 'node:http';

export const escapeHtml = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

/** A page of the local Slack without scripts. */
export const htmlPage = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 36rem; margin: 3rem auto; padding: 0 1rem; color: #1d1c1d; background: #fff; }
  label { display: block; font-weight: 600; }
  select, button { font: inherit; padding: .4rem .8rem; margin: .25rem .5rem 1rem 0; }
  table { border-collapse: collapse; }
  th, td { text-align: left; padding: .4rem 1rem .4rem 0; }
  td form { margin: 0; }
  button[value="allow"] { background: #007a5a; color: #fff; border: 1px solid #007a5a; }
</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
${body}
</main>
</body>
</html>
`;

export const sendHtml = (response: ServerResponse, status: number, html: string): void => {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
  });
  response.end(html);
};
