import { escapeHtml, htmlPage } from '../html-page.ts';
import type { Directory } from '../installations/directory.ts';
import { listInstallTargets } from '../installations/install-targets.ts';
import { choiceValue } from './authorize-request.ts';

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
  const options = listInstallTargets(directory).flatMap(({ id, name: target, installers }) =>
    installers.map((one, index) => {
      const value = escapeHtml(choiceValue(id, one.slackUserId));
      const selected = id === team && index === 0 ? ' selected' : '';
      const label = escapeHtml(`${target}: ${one.realName}, ${one.title}`);
      return `<option value="${value}"${selected}>${label}</option>`;
    }),
  );
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
<select id="choice" name="choice">${options.join('')}</select>
<div>
<button name="decision" value="allow">Allow</button>
<button name="decision" value="cancel">Cancel</button>
</div>
</form>`,
  );
};

export const errorPage = (error: string): string =>
  htmlPage(
    "The app can't be installed",
    `<p>Slack refused the request of the app: <code>${escapeHtml(error)}</code>. Nothing was installed.</p>`,
  );
