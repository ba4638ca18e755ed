import { escapeHtml, htmlPage, type PageAnswer } from '../html-page.ts';
import type { WorkspacePerson } from '../workspace.ts';
import type { Directory } from './directory.ts';
import { listInstallTargets, type NamedTarget } from './install-targets.ts';
import { uninstall } from './uninstall.ts';

export const APPS_PATH = '/local/apps';

const isAdminAt = ({ installers }: NamedTarget, slackUserId: string): boolean =>
  installers.some((one) => one.slackUserId === slackUserId && one.isAdmin);

const actionAt = (directory: Directory, target: NamedTarget, slackUserId: string): string => {
  if (!directory.installations.has(target.id)) {
    const isUsable = directory.states.get(target.id)?.installation !== undefined;
    return isUsable ? 'Installed through the organization' : 'Not installed';
  }
  if (!isAdminAt(target, slackUserId)) return 'Installed; only admins can uninstall';
  return `<form method="post" action="${APPS_PATH}">
<input type="hidden" name="as" value="${escapeHtml(slackUserId)}">
<input type="hidden" name="target" value="${escapeHtml(target.id)}">
<button aria-label="Uninstall from ${escapeHtml(target.name)}">Uninstall</button>
</form>`;
};

const appsPage = (
  directory: Directory,
  person: WorkspacePerson,
  installUrl: string | undefined,
): string => {
  const app = escapeHtml(directory.app.name);
  const rows = listInstallTargets(directory).map((target) => {
    const action = actionAt(directory, target, person.slackUserId);
    return `<tr><th scope="row">${escapeHtml(target.name)}</th><td>${action}</td></tr>`;
  });
  const link = installUrl
    ? `<p><a href="${escapeHtml(installUrl)}">Install ${app} in a workspace</a></p>`
    : '';
  return htmlPage(
    `Workspaces with ${directory.app.name}`,
    `<p>You are ${escapeHtml(person.realName)}, ${escapeHtml(person.title)}.</p>
<table>${rows.join('\n')}</table>
${link}
<p><a href="/?as=${encodeURIComponent(person.slackUserId)}">Back to Slack</a></p>`,
  );
};

const findPerson = ({ states }: Directory, id: string): WorkspacePerson | undefined => {
  const state = [...states.values()].find(({ people }) => people.has(id));
  return state?.people.get(id);
};

/** The page that shows where the app is installed, and lets admins uninstall it. */
export const answerApps = (
  directory: Directory,
  appUrl: string | undefined,
  fields: URLSearchParams,
  isForm: boolean,
): PageAnswer => {
  const person = findPerson(directory, fields.get('as') ?? '');
  if (!person) return { status: 404, html: htmlPage('Person not found', '') };
  if (!isForm) {
    const installUrl = appUrl && new URL('/slack/install', appUrl).href;
    return { status: 200, html: appsPage(directory, person, installUrl) };
  }
  const target = listInstallTargets(directory).find(({ id }) => id === fields.get('target'));
  if (!target || !isAdminAt(target, person.slackUserId)) {
    return { status: 403, html: htmlPage('Only admins can uninstall an app', '') };
  }
  // Slack doesn't wait for the app.
  if (directory.installations.has(target.id)) void uninstall(directory, target.id);
  return { status: 303, location: `${APPS_PATH}?as=${person.slackUserId}` };
};
