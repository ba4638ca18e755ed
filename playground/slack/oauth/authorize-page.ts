import type { Directory } from '../installations/directory.ts';
import { choiceValue, listChoices } from './authorize-request.ts';

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

const hidden = (name: string, value: string): string =>
  `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`;

const carried = ['client_id', 'scope', 'state', 'redirect_uri'];

/** The page on which a person allows the app, in one workspace or in the organization. */
export const authorizePage = (
  directory: Directory,
  fields: URLSearchParams,
  scopes: string[],
): string => {
  const { name } = directory.app;
  const team = fields.get('team');
  const groups = listChoices(directory).map(({ id, name: label, members }) => {
    const options = members.map((one, index) => {
      const value = escapeHtml(choiceValue(id, one.slackUserId));
      const selected = id === team && index === 0 ? ' selected' : '';
      return `<option value="${value}"${selected}>${escapeHtml(`${one.realName}, ${one.title}`)}</option>`;
    });
    return `<optgroup label="${escapeHtml(label)}">${options.join('')}</optgroup>`;
  });
  const inputs = carried.flatMap((field) => {
    const value = fields.get(field);
    return value === null ? [] : [hidden(field, value)];
  });
  return htmlPage(
    `Install ${name}`,
    `<p>${escapeHtml(name)} asks for these permissions:</p>
<ul>${scopes.map((scope) => `<li>${escapeHtml(scope)}</li>`).join('')}</ul>
<form method="post" action="/oauth/v2/authorize">
${inputs.join('\n')}
<label for="choice">Workspace and person</label>
<select id="choice" name="choice">${groups.join('')}</select>
<div>
<button name="decision" value="allow">Allow</button>
<button name="decision" value="cancel">Cancel</button>
</div>
</form>`,
  );
};

export const errorPage = (error: string): string =>
  htmlPage(
    'The app can’t be installed',
    `<p>Slack refused the request of the app: <code>${escapeHtml(error)}</code>. Nothing was installed.</p>`,
  );
