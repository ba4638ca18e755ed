import type { IncomingMessage, ServerResponse } from 'node:http';
import { readBody } from './http.ts';

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
  select { max-width: 100%; }
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

export type PageAnswer = { status: number; html: string } | { status: number; location: string };

/** Serves a page, and submissions of its form. `fields` are those of the query or of the form. */
export const servePage = async (
  answerTo: (fields: URLSearchParams, isForm: boolean) => PageAnswer,
  url: URL,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const isForm = request.method === 'POST';
  const fields = isForm ? new URLSearchParams(await readBody(request)) : url.searchParams;
  const answer = answerTo(fields, isForm);
  if ('location' in answer) {
    return void response.writeHead(answer.status, { location: answer.location }).end();
  }
  const headers = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' };
  response.writeHead(answer.status, headers).end(answer.html);
};
