import type { Directory } from '../installations/directory.ts';
import { AUTHORIZE_PATH } from './answer-authorize.ts';
import { choiceValue } from './authorize-request.ts';

type InstallOptions = {
  /** The address of the OAuth page, with the app's own parameters; by default those of the app. */
  authorizeUrl?: string;
  decision?: 'allow' | 'cancel';
};

/** `targetId`: of a workspace or the organization, `T…` or `E…`. */
export type Installer = (
  targetId: string,
  slackUserId: string,
  options?: InstallOptions,
) => Promise<URL>;

const ownAuthorizeUrl = ({ app }: Directory, baseUrl: string): string => {
  const query = new URLSearchParams({ client_id: app.clientId, scope: app.scopes.join(',') });
  return `${baseUrl}${AUTHORIZE_PATH}?${query}`;
};

/** Submits the form of the OAuth page as a person does. @throws Error if the page refuses */
export const allowInstallation =
  (directory: Directory, baseUrl: string): Installer =>
  async (targetId, slackUserId, { authorizeUrl, decision = 'allow' } = {}) => {
    const asked = new URL(authorizeUrl ?? ownAuthorizeUrl(directory, baseUrl));
    const response = await fetch(`${baseUrl}${AUTHORIZE_PATH}`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams([
        ...asked.searchParams,
        ['choice', choiceValue(targetId, slackUserId)],
        ['decision', decision],
      ]),
    });
    const location = response.headers.get('location');
    if (location) return new URL(location);
    throw new Error(`The OAuth page refused the installation: ${await response.text()}`);
  };
