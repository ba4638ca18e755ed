import type { PageResponse } from '../../../slack/server/page.ts';
import { renderPage } from '../../../slack/server/render-page.ts';

export const installPath = '/slack/install';

export function installPage(authorizeUrl: string): PageResponse {
  return renderPage({
    title: 'Install Belay',
    paragraphs: [
      'Belay brings the alerts, backup policies and users of your data-protection service to Slack. Changes to users and policies need a second person’s approval.',
      'Slack shows what Belay may do before anything is installed.',
    ],
    button: { label: 'Add to Slack', href: authorizeUrl },
  });
}

/** Says what to do next. `slackUrl`: Slack in that workspace. */
export function installedPage(slackUrl: string): PageResponse {
  return renderPage({
    title: 'Belay is installed',
    paragraphs: [
      'Next, a workspace admin runs /belay setup in Slack to connect the data-protection service.',
    ],
    button: { label: 'Open Slack', href: slackUrl },
  });
}

/** After an installation for a whole organization, which adds Belay to no workspace yet. */
export function organizationPage({
  organizationId,
  appId,
}: {
  organizationId: string;
  appId: string;
}): PageResponse {
  return renderPage({
    title: 'Belay is installed in your organization',
    paragraphs: [
      'Next, add Belay to the workspaces that will use it. Then an admin of each workspace runs /belay setup there: every workspace has its own connections, approvers and audit log.',
    ],
    button: {
      label: 'Choose workspaces',
      href: `https://app.slack.com/manage/${organizationId}/integrations/profile/${appId}/workspaces/add`,
    },
  });
}

const failures = {
  canceled: {
    status: 200,
    title: 'The installation was canceled',
    text: 'Nothing was installed.',
  },
  expired: {
    status: 400,
    title: 'The installation took too long',
    text: 'Nothing was installed. Start again and finish within 10 minutes.',
  },
  foreign: {
    status: 400,
    title: 'The installation wasn’t started in this browser',
    text: 'Nothing was installed. Start again here, and allow cookies for this site.',
  },
  refused: {
    status: 400,
    title: 'Slack didn’t complete the installation',
    text: 'Nothing was installed. Start again.',
  },
  failed: {
    status: 502,
    title: 'Belay couldn’t complete the installation',
    text: 'Slack may list Belay as installed, but the installation isn’t complete. Start again in a few minutes.',
  },
  'wrong-app': {
    status: 409,
    title: 'Belay uses a different Slack app',
    text: 'Belay didn’t save this installation, because Belay is already installed with a different Slack app. Ask your Belay administrator to check SLACK_CLIENT_ID.',
  },
  busy: {
    status: 503,
    title: 'Too many installations at once',
    text: 'Nothing was installed. Start again in a minute.',
  },
} as const;

type InstallFailure = keyof typeof failures;

/** `reference` finds the log line. */
export function failurePage(failure: InstallFailure, reference?: string): PageResponse {
  const { status, title, text } = failures[failure];
  return renderPage({
    status,
    title,
    paragraphs: [text, ...(reference ? [`Reference ${reference}`] : [])],
    button: { label: 'Start again', href: installPath },
  });
}
